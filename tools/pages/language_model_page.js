"use strict";
// Controls and the picture in each .attn-model of a page: the language model, run at every move.
addEventListener("DOMContentLoaded", () => {
  const {forward, sample, split, join, words: LEXICON, longest, layers, heads} = window.languageModel;
  const {start} = window.languageModelData;
  const TEMPERATURES = [-4, -3, -2, -1, 0, 1, 2, 3, 4].map(k => Number((2 ** (k / 2)).toPrecision(3)));
  const EVERY = Array.from({length: layers * heads}, (_, k) => [Math.floor(k / heads), k % heads]);
  const wide = matchMedia("(min-width: 46em)"), calm = matchMedia("(prefers-reduced-motion: reduce)");

  const CONTROLS = `<fieldset>
    <label class="attn-wide">text <input type="text" data-control="text" spellcheck="false" autocapitalize="none" autocomplete="off"></label>
    <p class="attn-refusal" role="alert"></p>
    <span class="attn-write"><button type="button" data-write="1">write the next word</button>
    <button type="button" data-write="12">write 12 words</button> <button type="button" data-again>start again</button></span>
    <details><summary>Its ${LEXICON.length} words, each added by a click</summary><div></div></details>
    <label>head <select data-control="head">${EVERY.map(([layer, head]) => `<option>${layer} · ${head}</option>`).join("")}</select></label>
    <label class="attn-slide">row <input type="range" data-control="row" min="0"><b aria-hidden="true"></b></label>
    <label class="attn-slide">temperature <input type="range" data-control="temperature" min="0" max="8" value="4"><b aria-hidden="true"></b></label>
    <span class="attn-off" role="group" aria-label="heads switched off"><span>switch off</span> ${
      EVERY.map(([layer, head]) => `<label><input type="checkbox" data-off="${layer}.${head}">${layer} · ${head}</label>`).join("")}</span>
    <label>replaced by <select data-control="how"><option value="zero">zeros</option><option value="mean">its mean</option></select></label>
    </fieldset><div class="attn-picture"><div class="attn-shown"></div></div><p class="attn-told" role="status"></p>`;

  const BUTTONS = LEXICON.map((word, k) => `${k && k % 20 === 0 ? "<br>" : ""}<button type="button" data-word="${word}">${word}</button>`);

  // What is shown, as pairs of a view and its parts: on a phone three parts below one another, without the words.
  function views(picture, side) {
    if (wide.matches) return [["0 0 990 596", picture.parts]];
    return [["530 330 430 218", picture.next], ["528 8 472 278", picture.heads], [`0 26 ${Math.max(330, side + 95)} ${side + 112}`, picture.head]];
  }

  // Letters of at least `least`, however small the picture is shown; names of many rows stay as high as these.
  function legible(mark, least, cell) {
    return mark.replace(/^<text [^>]*font-size="([^"]+)"/, (start, size) =>
      size < least && (size >= 11 || cell > least) ? `${start} style="font-size:${least}px"` : start);
  }

  // Parts that differ from those shown are put in their place.
  function update(shown, picture, list, width, cell) {
    list.forEach(([view, parts], place) => {
      const least = 11 * view.split(" ")[2] / width;
      let svg = shown.children[place];
      if (svg?.dataset.view !== view) {
        const made = document.createElement("div");
        made.innerHTML = window.languageModelPicture.frame(picture, "<g></g>".repeat(parts.length), view);
        if (svg) svg.replaceWith(made.firstChild);
        else shown.append(made.firstChild);
        svg = shown.children[place];
        svg.dataset.view = view;
        if (place) svg.setAttribute("aria-hidden", "true");
        if (list.length > 1) for (const side of ["width", "height"]) svg.removeAttribute(side); // a part has another shape
      }
      const [title, told, , ...groups] = svg.children;
      [title.textContent, told.textContent] = [picture.title, picture.told];
      groups.forEach((group, k) => {
        if (group.marks === parts[k] && group.least === least) return;
        Object.assign(group, {marks: parts[k], least}).innerHTML = parts[k].map(mark => legible(mark, least, cell)).join("");
      });
    });
    while (shown.children.length > list.length) shown.lastChild.remove();
  }

  function fill(box) {
    box.insertAdjacentHTML("beforeend", CONTROLS);
    const control = name => box.querySelector(`[data-control="${name}"]`);
    const [text, head, row, temperature, how] = ["text", "head", "row", "temperature", "how"].map(control);
    const refusal = box.querySelector(".attn-refusal"), shown = box.querySelector(".attn-shown"), told = box.querySelector(".attn-told");
    let writing = 0, speaking;

    const off = () => [...box.querySelectorAll("[data-off]:checked")].map(({dataset}) => dataset.off.split(".").map(Number));

    function say(range, what) {
      range.nextElementSibling.textContent = what;
      range.setAttribute("aria-valuetext", what);
    }

    function show(moved) {
      const words = split(text.value), width = box.clientWidth; // asked before anything changes it's at hand
      let model;
      try {
        model = forward(words, off(), how.value);
        refusal.textContent = "";
      } catch (error) {
        refusal.textContent = error.message;
      }
      text.setAttribute("aria-invalid", Boolean(refusal.textContent));
      box.classList.toggle("attn-refused", Boolean(refusal.textContent));
      if (refusal.textContent) return;
      row.max = words.length - 1;
      if (moved === text) row.value = row.max;
      const settings = {
        head: EVERY[head.selectedIndex], row: row.valueAsNumber, off: off(), how: how.value, temperature: TEMPERATURES[temperature.value],
      };
      say(row, `${row.value}: ${words[row.value]}`);
      say(temperature, String(settings.temperature));
      const picture = window.languageModelPicture.draw(words, model, settings), cell = Math.min(400 / words.length, 30);
      update(shown, picture, views(picture, words.length * cell), width, cell);
      clearTimeout(speaking); // of many moves only the last is spoken
      speaking = setTimeout(() => { told.textContent = picture.told; }, 300);
    }

    function put(words) {
      text.value = join(words);
      show(text);
    }

    function startAgain() {
      for (const each of box.querySelectorAll("[data-off]")) each.checked = false;
      [how.value, temperature.value] = ["zero", 4];
      put(split(start));
    }

    async function write(count) {
      const mine = ++writing;
      for (; count && !refusal.textContent; count--) {
        const words = split(text.value);
        if (words.length === longest) {
          refusal.textContent = `The text has ${longest} words, and the model can't read more.`;
          return;
        }
        put([...words, sample(words, off(), how.value, TEMPERATURES[temperature.value])]);
        if (!calm.matches) await new Promise(done => setTimeout(done, 120));
        if (mine !== writing) return; // the reader has moved on
      }
    }

    // A click on a small pattern chooses its head, one on the large pattern its row.
    function point({target, clientX, clientY}) {
      const svg = target.closest("svg");
      if (!svg) return;
      const {x, y} = new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM().inverse());
      const column = Math.floor((x - 536) / 98), layer = y < 160 ? 1 : 0, words = split(text.value).length;
      if (x > 536 && column < heads && y > 40 && y < 290) head.selectedIndex = layer * heads + column;
      else if (x < 500 && y > 60 && y < 460) row.value = Math.floor((y - 60) / Math.min(400 / words, 30));
      show();
    }

    box.addEventListener("input", ({target}) => {
      writing++;
      show(target);
    });
    box.addEventListener("click", ({target}) => {
      const {write: count, word, again} = target.dataset;
      if (count) write(Number(count));
      else writing += word || again !== undefined ? 1 : 0;
      if (word) put([...split(text.value), word]);
      if (again !== undefined) startAgain();
    });
    box.querySelector("details").addEventListener("toggle", ({target}) => { target.lastChild.innerHTML = BUTTONS.join(""); }, {once: true});
    shown.addEventListener("click", point);
    addEventListener("resize", () => show());
    box.classList.add("attn-moved");
    startAgain();
  }

  document.querySelectorAll(".attn-model").forEach(fill);
});
