"use strict";
// The front page: the head that learns, and the arithmetic of one output by three numbers to change.
(() => {
  const {steps, sentences, answers, weights, chances} = window.frontData; // weights[frame][noun][word], chances[frame][noun][answer]
  const shown = x => number(x).replace(/^-0.00$/, "0.00").replace("-", "−");
  const number = x => ((8 * x) % 2 === 1 ? Math.round(50 * x) / 50 : x).toFixed(2); // an exact tie to the even digit, as in Python
  const find = selector => document.querySelector(selector);

  // --- the head

  const middle = place => 26 + 44 * place;

  function word(name, weight, place, largest) {
    const last = place === 7, x = middle(place), strong = weight === largest || last ? ' font-weight="bold"' : "";
    return `<rect class="shade" x="${x - 20}" y="76" width="40" height="30" fill-opacity="${weight}"/>
      <rect class="${last ? "frame last" : "frame"}" x="${x - 20}" y="76" width="40" height="30"/>
      <text x="${x}" y="96" font-size="13"${strong}>${name}</text><text x="${x}" y="123" font-size="12"${strong}>${shown(weight)}</text>`;
  }

  function arc(weight, place) {
    const from = middle(7), to = middle(place), high = 76 - 20 - 0.21 * (from - to);
    return `<path class="arc" d="M${from} 76C${from} ${high} ${to} ${high} ${to} 76" stroke-width="${0.6 + 7 * weight}" stroke-opacity="${0.3 + 0.7 * weight}"/>`;
  }

  function answer(name, chance, place, largest) {
    const x = 48 + 66 * place, strong = chance === largest ? ' font-weight="bold"' : "";
    return `<rect class="${strong ? "bar best" : "bar"}" x="${x - 18}" y="${192 - 40 * chance}" width="36" height="${40 * chance}"/>
      <text x="${x}" y="${186 - 40 * chance}" font-size="12"${strong}>${shown(chance)}</text><text x="${x}" y="208" font-size="13"${strong}>${name}</text>`;
  }

  function drawHead(frame, noun) {
    const words = sentences[noun], row = weights[frame][noun], next = chances[frame][noun];
    const most = Math.max(...row), best = Math.max(...next);
    const told = `“it” gives ${words.map((name, k) => `${name} ${shown(row[k])}`).join(", ")}; next word: ${answers.map((name, k) => `${name} ${shown(next[k])}`).join(", ")}`;
    return `<svg viewBox="0 0 360 214" role="img" aria-label="${told}">${row.slice(0, 7).map(arc).join("")}${
      words.map((name, k) => word(name, row[k], k, most)).join("")}${answers.map((name, k) => answer(name, next[k], k, best)).join("")}</svg>`;
  }

  function showHead() {
    const frame = Number(find("#step").value), noun = find("#noun").selectedIndex;
    find("[data-shows=before]").innerHTML = drawHead(0, noun);
    find("[data-shows=after]").innerHTML = drawHead(frame, noun);
    find("#step").setAttribute("aria-valuetext", steps[frame]);
    find("[for=step]").textContent = steps[frame];
  }
  find("#step").max = steps.length - 1;
  for (const control of [find("#step"), find("#noun")]) control.addEventListener("input", showHead);
  showHead();

  // --- three numbers, softmax, the weighted sum: the word "hot" in "The chai is hot", as in lesson 00

  const WORDS = ["The", "chai", "is", "hot"];
  const inputs = ["query", "key", "value"].map(name => find(`#${name}`));
  const plain = x => String(Number(x.toFixed(4))).replace("-", "−");
  const factor = x => x < 0 ? `(${plain(x)})` : plain(x);

  function calculate() {
    const valid = inputs.every(input => input.validity.valid && input.value);
    find("#wrong").textContent = valid ? "" : "Type a number from −5 to 5.";
    if (!valid) return;
    const [query, key, value] = inputs.map(input => input.valueAsNumber);
    const scores = [0, query * key, 0, 0], halves = scores.map(score => score / 2), powers = halves.map(Math.exp);
    const total = powers.reduce((sum, power) => sum + power), shares = powers.map(power => power / total);
    const values = [[0, 0], [value, 1], [0, 0], [0, 4]];
    find("#score").textContent = `[${plain(query)}, 0, 0, 0] · [${plain(key)}, 0, 0, 0] = ${factor(query)} · ${factor(key)} + 0 + 0 + 0 = ${plain(query * key)}`;
    find("#arithmetic tbody").innerHTML = WORDS.map((name, k) => `<tr><th scope="row">${name}</th><td>${plain(scores[k])}</td><td>${plain(halves[k])}</td>
      <td>${shown(powers[k])}</td><td>${shown(shares[k])}<span class="weight" style="--share: ${shares[k]}"></span></td></tr>`).join("");
    find("#sum").textContent = shown(total);
    const parts = WORDS.map((name, k) => `<span><i>${name}</i> ${shown(shares[k])} · [${values[k].map(plain).join(", ")}]</span>`);
    const output = [0, 1].map(column => shares.reduce((sum, share, k) => sum + share * values[k][column], 0));
    find("#sums").innerHTML = `${parts.join(" + ")} = <b>[${output.map(shown).join(", ")}]</b>`;
  }
  for (const input of inputs) {
    input.addEventListener("input", calculate);
    for (const [button, step] of [[input.previousElementSibling, -1], [input.nextElementSibling, 1]]) {
      button.addEventListener("click", () => {
        input.value = Math.max(-5, Math.min(5, (input.valueAsNumber || 0) + step));
        calculate();
      });
    }
  }
  calculate();

  // --- a wrong softmax for who doesn't write Python, as long as the box (exercise.js) holds nothing else

  const WRONG = "def softmax(x):\n    e = np.exp(x - x.max(axis=-1, keepdims=True))\n    return e / e.sum(axis=0)\n";
  addEventListener("load", () => {
    const box = find("[data-exercise=softmax]"), text = box.querySelector("textarea"), offer = find("#wrong-one");
    if (!text || text.value !== JSON.parse(box.dataset.box).stub) return;
    offer.hidden = false;
    offer.querySelector("button").addEventListener("click", () => {
      text.value = WRONG;
      text.dispatchEvent(new Event("input"));
    });
    text.addEventListener("input", () => { offer.style.visibility = text.value === WRONG ? "" : "hidden"; });
  });
})();
