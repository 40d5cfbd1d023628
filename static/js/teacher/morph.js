/* Turns what stands on the page into fresh HTML by changing only what differs: a finger on a button, an open menu,
   the keyboard focus and a half-filled select survive an update. Children are matched by id, else by place. */

/** Makes the children of `here` like those of `fresh`. */
export function morphChildren(here, fresh) {
  const keyed = new Map();
  for (const child of here.children) if (child.id) keyed.set(child.id, child);
  let at = here.firstChild;
  for (const wanted of [...fresh.childNodes]) {
    const found = match(wanted, at, keyed);
    if (!found) {
      here.insertBefore(wanted, at);
      continue;
    }
    if (found !== at) here.insertBefore(found, at);
    else at = at.nextSibling;
    if (wanted.id) keyed.delete(wanted.id);
    morph(found, wanted);
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

function match(wanted, at, keyed) {
  if (wanted.id) {
    const same = keyed.get(wanted.id);
    return same && same.nodeName === wanted.nodeName ? same : null;
  }
  return at && at.nodeName === wanted.nodeName && !at.id ? at : null;
}

function morph(here, fresh) {
  if (here.nodeType !== Node.ELEMENT_NODE) {
    if (here.nodeValue !== fresh.nodeValue) here.nodeValue = fresh.nodeValue;
    return;
  }
  if (here.isEqualNode(fresh)) return;
  attributes(here, fresh);
  if (here.nodeName === "SELECT" && here.contains(document.activeElement)) return;
  morphChildren(here, fresh);
}

function attributes(here, fresh) {
  const mine = here.nodeName === "DETAILS" ? ["open"] : [];
  for (const { name, value } of fresh.attributes) if (here.getAttribute(name) !== value) here.setAttribute(name, value);
  for (const { name } of [...here.attributes]) if (!fresh.hasAttribute(name) && !mine.includes(name)) here.removeAttribute(name);
}
