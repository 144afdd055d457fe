"use strict";
// "Switch a head off" on the front page: what lesson 11's model expects next, with all heads and without those switched off.
addEventListener("DOMContentLoaded", () => {
  const {forward, likeliest, split, join, words: LEXICON, longest, layers, heads} = window.languageModel;
  const find = id => document.getElementById(id), input = find("facts"), NOUNS = 100, ROWS = 5; // the first words are nouns
  const EVERY = Array.from({length: layers * heads}, (_, k) => [layers - 1 - Math.floor(k / heads), k % heads]); // layer 1 on top
  const off = new Set();
  let words = [];

  const bar = (kind, share) => `<span class="${kind}"><i style="--share: ${share.toFixed(4)}"></i>${share.toFixed(2)}</span>`;
  const named = word => ({",": "comma", ".": "full stop"})[word] ?? word;

  // Of every word that could come next its probability.
  function expected(without) {
    const {logits} = forward(words, without.map(k => EVERY[k]));
    return new Map(likeliest(logits(words.length - 1), LEXICON.length));
  }

  // What the model can read of a text: its last 48 known words.
  function read(text) {
    const said = split(text.replace(/[^\p{L}\p{N}\s,.'-]/gu, " ")), strange = [...new Set(said.filter(word => !LEXICON.includes(word)))];
    const known = said.filter(word => LEXICON.includes(word));
    if (known.length) words = known.slice(-longest);
    const noun = known.find(word => LEXICON.indexOf(word) < NOUNS) ?? "cat";
    const quality = known.find(word => LEXICON.indexOf(word) >= NOUNS && !",.".includes(word)) ?? "sleepy";
    const trial = `${noun} ${quality}, cup red, river wide. cup red, river wide, ${noun}`;
    find("unread").hidden = !strange.length && known.length > 0 && known.length <= longest;
    find("unread").firstChild.textContent = strange.length ? `This toy has never read ${strange.slice(0, 6).map(word => `“${word.slice(0, 20)}”`).join(", ")}${
      strange.length > 6 ? " …" : ""}. ${known.length ? `It reads only: ${join(known.slice(-8))}. ` : ""}It does understand ` :
      known.length ? `It reads the last ${longest} words. Shorter is ` : "Type some of its words, such as ";
    Object.assign(find("trial"), {textContent: trial});
  }

  function show() {
    const all = expected([]), now = expected([...off]), [[first]] = all, best = [...all.keys()].slice(0, ROWS);
    const [[leads]] = now;
    if (!best.includes(leads)) best[ROWS - 1] = leads;
    find("after-word").textContent = named(words.at(-1));
    find("expected").innerHTML = best.map(word => `<tr><th scope="row">${named(word)}</th><td>${bar("before", all.get(word))}</td><td>${bar("now", now.get(word))}</td></tr>`).join("");
    EVERY.forEach((_, k) => {
      const button = find("heads").children[k].firstChild, others = [...off].filter(other => other !== k);
      button.setAttribute("aria-pressed", off.has(k));
      button.nextElementSibling.innerHTML = off.has(k) ? `${bar("before", expected(others).get(first))}${bar("now", now.get(first))}` : "";
    });
    const silent = [...off].sort((a, b) => a - b).map(k => EVERY[k].join(" · ")).join(" and ");
    find("told").textContent = off.size ? `With ${silent} off, ${named(first)} goes from ${all.get(first).toFixed(2)} to ${now.get(first).toFixed(2)}.` :
      `With all heads it expects ${named(first)}, ${all.get(first).toFixed(2)}.`;
  }

  function put(text) {
    input.value = text;
    read(text);
    show();
  }

  find("heads").innerHTML = EVERY.map(([layer, head]) => `<div><button type="button" aria-pressed="false">${layer} · ${head}</button><div></div></div>`).join("");
  find("heads").addEventListener("click", ({target}) => {
    const k = [...find("heads").children].indexOf(target.parentElement);
    if (target.tagName !== "BUTTON" || k < 0) return;
    if (!off.delete(k)) off.add(k);
    show();
  });
  for (const button of document.querySelectorAll("[data-text]")) button.addEventListener("click", () => put(button.dataset.text));
  find("trial").addEventListener("click", () => put(find("trial").textContent));
  input.addEventListener("input", () => {
    read(input.value);
    show();
  });
  put(input.value);
});
