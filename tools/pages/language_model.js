"use strict";
// The course's language model in the page: attn_parts/language_model.py in plain JavaScript. Nothing is fetched.
// language_model_data.js has set languageModelData: its words, and its parameters and mean head outputs as half floats.
window.languageModel = (() => {
  const LAYERS = 2, HEADS = 4, WIDTH = 64, LONGEST = 48, D_K = WIDTH / HEADS;
  const {words: LEXICON, numbers, means: stored} = window.languageModelData;
  const NUMBERS = new Map(LEXICON.map((word, number) => [word, number]));

  function halves(base64) {
    const text = atob(base64), made = new Float64Array(text.length / 2);
    for (let i = 0; i < made.length; i++) {
      const bits = text.charCodeAt(2 * i) + 256 * text.charCodeAt(2 * i + 1), exponent = (bits >> 10) & 31, fraction = bits & 1023;
      const size = exponent ? (1 + fraction / 1024) * 2 ** (exponent - 15) : fraction * 2 ** -24;
      made[i] = bits >> 15 ? -size : size;
    }
    return made;
  }

  const all = halves(numbers), means = halves(stored), layer = LAYERS * WIDTH * WIDTH;
  let begin = 0;
  const take = size => all.subarray(begin, begin += size);
  const E = take(LEXICON.length * WIDTH), P = take(LONGEST * WIDTH);
  const [W_Q, W_K, W_V, W_O] = [0, 1, 2, 3].map(() => take(layer));
  const U = take(WIDTH * LEXICON.length);

  // row (WIDTH,) times the matrix that begins at `start` of W and is `wide` columns wide
  function project(row, W, start, wide) {
    const made = new Float64Array(wide);
    for (let i = 0; i < WIDTH; i++) {
      const x = row[i], begin = start + i * wide;
      for (let j = 0; j < wide; j++) made[j] += x * W[begin + j];
    }
    return made;
  }

  // of two rows, in the columns of one head
  function dot(a, b, head) {
    let sum = 0;
    for (let j = head * D_K; j < (head + 1) * D_K; j++) sum += a[j] * b[j];
    return sum;
  }

  function softmax(scores) {
    const largest = Math.max(...scores), exponentials = scores.map(score => Math.exp(score - largest));
    const total = exponentials.reduce((sum, each) => sum + each, 0);
    return exponentials.map(each => each / total);
  }

  // words that begin or end like this one, best first
  function near(strange) {
    const pairs = word => new Set([...` ${word} `].map((c, i, all) => c + (all[i + 1] ?? "")));
    const mine = pairs(strange);
    const likeness = word => [...pairs(word)].filter(pair => mine.has(pair)).length / Math.max(word.length, strange.length);
    return [...LEXICON].sort((a, b) => likeness(b) - likeness(a)).slice(0, 3);
  }

  function check(words) {
    const strange = words.find(word => !NUMBERS.has(word));
    if (strange !== undefined) throw new Error(`The model doesn't know “${strange}”. Near it: ${near(strange).join(", ")}.`);
    if (!words.length) throw new Error("Type at least one word.");
    if (words.length > LONGEST) {
      throw new Error(`The model reads 48 words, commas and full stops counted; these are ${words.length}.`);
    }
    return words.map(word => NUMBERS.get(word));
  }

  // Of all heads in layer l the weights[head][row][column] and the joined outputs[row], where X are the rows below.
  function attend(l, X) {
    const placed = X.map((x, i) => x.map((value, j) => value + P[i * WIDTH + j]));
    const times = (rows, W) => rows.map(row => project(row, W, l * WIDTH * WIDTH, WIDTH));
    const Q = times(placed, W_Q), K = times(placed, W_K), V = times(X, W_V), outputs = X.map(() => new Float64Array(WIDTH));
    const weights = Array.from({length: HEADS}, (_, h) => Q.map((query, i) => {
      const row = softmax(K.slice(0, i + 1).map(key => dot(query, key, h) / Math.sqrt(D_K)));
      row.forEach((weight, k) => {
        for (let j = h * D_K; j < (h + 1) * D_K; j++) outputs[i][j] += weight * V[k][j];
      });
      return [...row, ...new Array(X.length - 1 - i).fill(0)];
    }));
    return {weights, outputs};
  }

  const kept = []; // of each layer what `attend` returned last, and what it was asked

  // weights[layer][head][row][column], and a function: the logits after the word in a row. off: ablated heads as
  // [layer, head]; how: "zero" or "mean". A layer runs again only if the words or the heads ablated below it have changed.
  function forward(words, off = [], how = "zero") {
    if (how !== "zero" && how !== "mean") throw new Error(`how is “${how}”, expected “zero” or “mean”.`);
    const numbers = check(words);
    let X = i => E.subarray(numbers[i] * WIDTH, (numbers[i] + 1) * WIDTH);
    for (let l = 0; l < LAYERS; l++) {
      const below = X, ablated = off.filter(([layer]) => layer < l), asked = JSON.stringify([words, ablated, ablated.length && how]);
      if (kept[l]?.asked !== asked) kept[l] = {asked, ...attend(l, words.map((_, i) => below(i)))};
      const {outputs} = kept[l];
      const instead = (h, i, d) => how === "mean" ? means[((l * HEADS + h) * LONGEST + i) * D_K + d] : 0;
      X = i => {
        const joined = outputs[i].slice(), x = below(i);
        for (const [layer, h] of off) if (layer === l) for (let d = 0; d < D_K; d++) joined[h * D_K + d] = instead(h, i, d);
        return project(joined, W_O, l * WIDTH * WIDTH, WIDTH).map((value, j) => value + x[j]);
      };
    }
    return {logits: i => Array.from(project(X(i), U, 0, LEXICON.length)), weights: kept.map(({weights}) => weights)};
  }

  function run(words, off, how) {
    const {logits, weights} = forward(words, off, how);
    return {logits: logits(words.length - 1), weights};
  }

  const probabilities = (logits, temperature) => softmax(logits.map(logit => logit / temperature));

  // Probabilities of all words to come next.
  const next = (words, off, how, temperature = 1) => probabilities(run(words, off, how).logits, temperature);

  // The `count` likeliest words after these logits, as [word, probability].
  function likeliest(logits, count, temperature = 1) {
    const pairs = probabilities(logits, temperature).map((share, number) => [LEXICON[number], share]);
    return pairs.sort((a, b) => b[1] - a[1]).slice(0, count);
  }

  // One word to come next, drawn with its probability; `chance` is a number from 0 to 1.
  function sample(words, off, how, temperature, chance = Math.random()) {
    const place = next(words, off, how, temperature).findIndex(share => (chance -= share) < 0);
    return LEXICON.at(place);
  }

  // A text as words, commas and full stops among them, and words as a text.
  const split = text => text.toLowerCase().replace(/([,.])/g, " $1 ").split(/\s+/).filter(Boolean);

  const join = words => words.join(" ").replace(/ ([,.])/g, "$1");

  return {run, next, forward, likeliest, sample, split, join, words: LEXICON, longest: LONGEST, layers: LAYERS, heads: HEADS};
})();
