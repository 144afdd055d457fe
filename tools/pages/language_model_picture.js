"use strict";
// The picture of lesson 11's explorer, mark for mark as attn_lessons/lesson11/explorer.py draws it with attn_parts/svg.py:
// the names of the functions are the ones there. Only words of the model are written, so nothing needs to be escaped.
window.languageModelPicture = (() => {
  const {colours, shades, inks, widths} = window.languageModelData;
  const {INK, SOFT, FAINT, BLOCKED, PAPER, LIT, KEY, BLUE} = colours;
  const LAYERS = 2, HEADS = 4, SIDE = 88, APART = 98, LARGE = 400, PRINT_UP_TO = 12;
  const SAID = {",": "comma", ".": "full stop"};

  // --- numbers as Python writes them, who rounds an exact tie to the even digit

  function rounded(x, digits) {
    const places = digits - 1 - Math.floor(Math.log10(x)), exact = x * 2 ** (places + 1), twice = exact * 5 ** places;
    if (!Number.isInteger(exact) || twice % 2 !== 1) return Number(x.toPrecision(digits)); // no tie
    const below = (twice - 1) / 2;
    return (below + below % 2) / 10 ** places;
  }

  // f"{x:.4g}", of numbers that aren't negative
  function g(x, digits = 4) {
    const short = x && rounded(x, digits);
    return !x || short >= 1e-4 ? String(short) : short.toExponential().replace(/e-(\d)$/, "e-0$1");
  }

  function number(x) {
    const tie = (8 * x) % 2 === 1;
    return (tie ? Math.round(50 * x) / 50 : x).toFixed(2);
  }
  const numberTold = x => x > 0 && x < 0.005 ? g(x, 2) : number(x);
  const textWidth = (text, font) => font * [...text].reduce((sum, letter) => sum + widths[letter], 0);

  // --- attn_parts/svg.py

  function text(x, y, said, {anchor = "start", font = 13, color = INK, bold = false, steep = false} = {}) {
    return `<text x="${g(x)}" y="${g(y)}" text-anchor="${anchor}" dominant-baseline="central" font-size="${g(font, 3)}" fill="${color}"` +
      `${bold ? ' font-weight="bold"' : ""}${steep ? ` transform="rotate(-60 ${g(x)} ${g(y)})"` : ""}>${said}</text>`;
  }

  function box(x, y, width, height, {fill = "none", edge = "none", thick = 1} = {}) {
    return `<rect x="${g(x)}" y="${g(y)}" width="${g(width)}" height="${g(height)}" fill="${fill}" stroke="${edge}" stroke-width="${thick}"/>`;
  }

  function wrapped(said, width, font) {
    const lines = [];
    for (const word of said.split(" ")) {
      if (lines.length && textWidth(`${lines.at(-1)} ${word}`, font) <= width) lines[lines.length - 1] += ` ${word}`;
      else lines.push(word);
    }
    return lines;
  }

  function paragraph(x, y, said, width, font) {
    return wrapped(said, width, font).map(line => {
      const mark = text(x, y, line, {font});
      y += 1.4 * font;
      return mark;
    });
  }

  // strokes over `places`, pairs of a row and a column
  function hatch(x, y, places, cell) {
    const half = cell / 2, most = places.length ? places.at(-1)[1] + 1 : 0;
    const at = (start, shift) => Array.from({length: most}, (_, k) => g(start + k * cell + shift));
    const left = at(x, 0), foot = at(y, cell), right = at(x, half), middle = at(y, half), [c, h] = [g(cell), g(half)];
    const strokes = places.map(([i, j]) => {
      const more = `M${left[j]} ${middle[i]}l${h} -${h}M${right[j]} ${foot[i]}l${h} -${h}`;
      return `M${left[j]} ${foot[i]}l${c} -${c}${cell >= 20 ? more : ""}`;
    });
    return strokes.length ? [`<path d="${strokes.join("")}" stroke="${FAINT}" stroke-width="1" fill="none"/>`] : [];
  }

  // Squares of these weights, a path for each colour; no square where `colour` gives none.
  function squares(x, y, weights, cell, side, colour) {
    const paths = new Map(), left = weights.map((_, j) => g(x + j * cell)), top = weights.map((_, i) => g(y + i * cell));
    weights.forEach((row, i) => row.forEach((weight, j) => {
      const fill = colour(weight, i, j);
      if (!fill) return;
      if (!paths.has(fill)) paths.set(fill, []);
      paths.get(fill).push(`M${left[j]} ${top[i]}h${side}v${side}h-${side}z`);
    }));
    return [...paths].map(([fill, parts]) => `<path fill="${fill}" d="${parts.join("")}"/>`);
  }

  function matrix(x, y, weights, cell) {
    const filled = squares(x, y, weights, cell, g(cell), (weight, i, j) => j > i ? BLOCKED : shades[Math.round(255 * weight)]);
    return weights.length <= PRINT_UP_TO ? [...filled, ...numbers(x, y, weights, cell)] : filled;
  }

  function numbers(x, y, weights, cell) {
    const seen = weights.flatMap((row, i) => row.slice(0, i + 1).map((weight, j) => [i, j, weight]));
    const widest = Math.max(...seen.map(([, , weight]) => textWidth(number(weight), 1)));
    const font = Math.min(13, cell * 0.36, cell * 0.94 / widest);
    const cells = seen.map(([i, j, weight]) =>
      `<text x="${g(x + (j + 0.5) * cell)}" y="${g(y + (i + 0.5) * cell)}" fill="${inks[Math.round(255 * weight)]}">${number(weight)}</text>`);
    return [`<g font-size="${g(font, 3)}" text-anchor="middle" dominant-baseline="central">${cells.join("")}</g>`];
  }

  function namesBelow(x, y, step, names, font) {
    const steep = Math.max(...names.map(name => textWidth(name, font))) > step - 4;
    return names.map((name, place) => {
      const middle = x + (place + 0.5) * step;
      return steep ? text(middle + font / 3, y + 9, name, {anchor: "end", font, steep}) : text(middle, y + 12, name, {anchor: "middle", font});
    });
  }

  // What a matrix has besides its weights: strokes over what is blocked, the edge, the words.
  function surroundings(x, y, words, cell) {
    const later = words.flatMap((_, i) => words.flatMap((_, j) => j > i ? [[i, j]] : []));
    const edge = box(x, y, words.length * cell, words.length * cell, {edge: FAINT});
    return [...hatch(x, y, later, cell), edge, ...names(x, y, words, cell)];
  }

  function names(x, y, words, cell) {
    const font = Math.min(Math.max(9, Math.min(13, cell * 0.5)), cell * 0.95);
    const queries = words.map((word, i) => text(x - 5, y + (i + 0.5) * cell, word, {anchor: "end", font}));
    return [...queries, ...namesBelow(x, y + words.length * cell, cell, words, font)];
  }

  function bars(x, y, width, height, values, labels, title) {
    const step = width / values.length, zero = y + height, printed = values.map(number);
    const font = Math.min(11, 0.95 * step / Math.max(...[...printed, "0.00"].map(value => textWidth(value, 1))));
    const upright = values.flatMap((value, place) => {
      const top = y + height * (1 - value);
      return [box(x + (place + 0.12) * step, top, 0.76 * step, height * value, {fill: BLUE}),
        text(x + (place + 0.5) * step, top - 9, printed[place], {anchor: "middle", font})];
    });
    const line = `<path d="M${g(x)} ${g(zero)}L${g(x + width)} ${g(zero)}" stroke="${FAINT}" stroke-width="1" fill="none"/>`;
    const marks = [0, 0.5, 1].map(mark => text(x - 6, y + height * (1 - mark), mark, {anchor: "end", font: 11}));
    return [...upright, line, ...namesBelow(x, zero, step, labels, Math.min(11, step)), text(x, y - 26, title, {font: 14, bold: true}), ...marks];
  }

  function colorBar(x, y, height) {
    const steps = shades.filter((_, place) => place % 4 === 3).reverse(), tall = height / steps.length;
    const strips = steps.map((fill, k) => `<rect x="${g(x)}" y="${g(y + k * tall)}" width="14" height="${g(tall + 0.5)}" fill="${fill}"/>`);
    const values = [0, 0.5, 1].map(share => text(x + 19, y + height * (1 - share), share, {font: 11}));
    return [...strips, box(x, y, 14, height, {edge: FAINT}), ...values, text(x, y + height + 16, "weight", {font: 12}),
      box(x, y + height + 28, 14, 14, {fill: BLOCKED, edge: FAINT}), ...hatch(x, y + height + 28, [[0, 0]], 14),
      text(x + 19, y + height + 35, "blocked", {font: 11})];
  }

  // --- attn_lessons/lesson11/explorer.py

  function wall(weights, chosen, off) {
    const left = 536, top = 60, parts = [keep("title", [], () => [text(left, 20, "all heads", {font: 14, bold: true})])];
    for (let layer = 0; layer < LAYERS; layer++) for (let head = 0; head < HEADS; head++) {
      const x = left + head * APART, y = top + (LAYERS - 1 - layer) * 130, silent = isOff(off, [layer, head]);
      const lit = layer === chosen[0] && head === chosen[1];
      parts.push(keep(`small ${layer} ${head}`, [weights[layer][head], silent, lit], () => [
        ...small(x, y, weights[layer][head]),
        text(x, y - 10, `${layer} · ${head}${silent ? " off" : ""}`, {font: 12, color: silent ? KEY : SOFT}),
        ...lit ? [box(x - 2, y - 2, SIDE + 4, SIDE + 4, {edge: LIT, thick: 3})] : [],
      ]));
    }
    return [...parts, keep("bar", [], () => colorBar(left + 4 * APART - 4, top, 2 * SIDE))];
  }

  function small(x, y, weights) {
    const cell = SIDE / weights.length;
    const filled = squares(x, y, weights, cell, g(cell, 3), weight => weight > 0.03 && shades[17 * Math.round(15 * weight)]);
    const stairs = `v${g(cell)}h${g(cell)}`.repeat(weights.length - 1);
    return [box(x, y, SIDE, SIDE, {fill: shades[0]}), ...filled,
      `<path fill="${BLOCKED}" d="M${g(x + cell)} ${g(y)}${stairs}V${g(y)}z"/>`, box(x, y, SIDE, SIDE, {edge: FAINT})];
  }

  function inWords(words, row, head, weights, expected, off, how) {
    const said = words.map((word, place) => (SAID[word] ?? word) + (words.indexOf(word) !== words.lastIndexOf(word) ? ` (${place})` : ""));
    const most = weights.slice(0, row + 1).map((weight, place) => [place, weight]).sort((a, b) => b[1] - a[1]).slice(0, 3);
    const looks = most.map(([place, weight]) => `${said[place]} ${numberTold(weight)}`).join(", ");
    const next = expected.slice(0, 5).map(([word, share]) => `${SAID[word] ?? word} ${number(share)}`).join(", ");
    const silent = off.map(([layer, which]) => `${layer} · ${which}`).join(", ") || "nothing";
    return `${words.length} words, ${silent} switched off${off.length && how === "mean" ? " (means)" : ""}. ` +
      `Layer ${head[0]}, head ${head[1]}: “${said[row]}” attends to ${looks}. Likeliest next words: ${next}.`;
  }

  const isOff = (off, [layer, head]) => off.some(pair => pair[0] === layer && pair[1] === head);

  const last = {};
  // A part whose `key` is the same as before is the same array of marks.
  function keep(name, key, make) {
    if (!last[name] || key.some((each, k) => each !== last[name].key[k])) last[name] = {key, marks: make()};
    return last[name].marks;
  }

  // The whole SVG of these marks, of which `view` is seen.
  function frame({title, told}, marks, view = "0 0 990 596") {
    return `<svg xmlns="http://www.w3.org/2000/svg" role="img" width="990" height="596" viewBox="${view}" ` +
      `font-family="Arial, Helvetica, Liberation Sans, sans-serif"><title>${title}</title>` +
      `<desc>${told}</desc><rect width="100%" height="100%" fill="${PAPER}"/>${marks}</svg>`;
  }

  // The picture as parts, each an array of marks: of words, what languageModel.forward returned, and the explorer's controls.
  function draw(words, {logits, weights}, {head, row, off, how, temperature}) {
    const [layer, which] = head, chosen = weights[layer][which];
    const expected = window.languageModel.likeliest(logits(row), 8, temperature);
    const told = inWords(words, row, head, chosen[row], expected, off, how), cell = Math.min(LARGE / words.length, 30);
    const warmth = temperature === 1 ? "" : `, temperature ${g(temperature, 6)}`;
    const labels = expected.map(([word]) => SAID[word] ?? word), instead = how === "mean" ? "its mean" : "0";
    const picture = {
      told,
      title: `The language model, layer ${layer}, head ${which}`,
      heads: wall(weights, head, off),
      next: [bars(560, 370, 380, 110, expected.map(([, share]) => share), labels, `after “${words[row]}”, position ${row}${warmth}`)],
      head: [
        keep("matrix", [chosen], () => matrix(80, 60, chosen, cell)),
        keep("surroundings", [String(words)], () => surroundings(80, 60, words, cell)),
        [
          text(80, 40, `layer ${layer}, head ${which}`, {font: 14, bold: true}),
          box(80, 60 + row * cell, words.length * cell, cell, {edge: LIT, thick: 3}),
          ...isOff(off, head) ? [text(200, 40, `switched off: its output is set to ${instead}`, {font: 12, color: KEY})] : [],
        ],
      ],
      words: [paragraph(10, 560, told, 970, 13)],
    };
    picture.parts = [...picture.heads, ...picture.next, ...picture.head, ...picture.words];
    return picture;
  }

  return {draw, frame, svg: picture => frame(picture, picture.parts.flat().join(""))};
})();
