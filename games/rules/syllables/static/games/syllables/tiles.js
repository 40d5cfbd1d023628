/* Cards of the syllable game: white paper, a family by colour, corner shape and spoken name. */

import { calm, el, symbol } from "../../js/dom.js";

const FAMILIES = ["dragons", "chameleons", "owls", "foxes", "whales"];

/** Makes cards for one board: `tile(card, options)` is a button, `face(card)` a still picture of it. */
export function tileMaker({ say, shapes, language }) {
  const family = (card) => say(`family.${card.family}`);

  function parts(card, key) {
    return [
      symbol(shapes, FAMILIES[card.family], { className: "syl-shape" }),
      el("span", { class: "syl-text", lang: language() }, card.text),
      key ? el("kbd", { class: "syl-key", "aria-hidden": true }, key) : null,
    ];
  }

  function looks(card) {
    return { family: FAMILIES[card.family], length: Math.min([...card.text].length, 8), card: card.id };
  }

  /** A card to tap. `label` is the key of its spoken name. */
  function tile(card, { label = "card", place = 0, key = "", onTap }) {
    const spoken = say(label, { text: card.text, family: family(card), place });
    return el(
      "button",
      { type: "button", class: "syl-tile", "aria-label": spoken, data: looks(card), onclick: onTap },
      ...parts(card, key),
    );
  }

  /** A card to look at; its syllable and family are text for screen readers. */
  function face(card) {
    const picture = el("span", { class: "syl-tile", "aria-hidden": true, data: looks(card) }, ...parts(card));
    return el("span", { class: "syl-face" }, picture, el("span", { class: "visually-hidden" }, `${card.text}, ${family(card)}. `));
  }

  /** The sign of a family alone. */
  function badge(number) {
    const sign = symbol(shapes, FAMILIES[number], { className: "syl-family" });
    sign.dataset.family = FAMILIES[number];
    return sign;
  }

  return { tile, face, badge, family };
}

/** Lets a card glide from where it was to where it is; explains where it went, or does nothing for calm readers. */
export function glide(node, from) {
  if (calm() || !from || !node.animate) return;
  const to = node.getBoundingClientRect();
  const shift = `translate(${from.left - to.left}px, ${from.top - to.top}px)`;
  node.animate([{ transform: shift }, { transform: "none" }], { duration: 180, easing: "cubic-bezier(.2,.7,.3,1)" });
}
