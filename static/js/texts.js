/* The page's translated strings: they stand in a <template> as elements with data-text, one per key. */

/** Reads `<template id>`; returns `say(key, {name: value})`, which chooses the plural form by `n` where there are several. */
export function readTexts(...ids) {
  const language = document.documentElement.lang || "en";
  const plural = new Intl.PluralRules(language);
  const texts = new Map();
  for (const id of ids) {
    const holder = document.getElementById(id);
    for (const node of holder?.content.querySelectorAll("[data-text]") ?? []) {
      texts.set(node.dataset.text, node.textContent.trim());
    }
  }
  return function say(key, values = {}) {
    const found = texts.get(key) ?? texts.get(`${key}.${plural.select(Number(values.n ?? 0))}`) ?? texts.get(`${key}.other`);
    if (found === undefined) return key;
    return found.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
  };
}
