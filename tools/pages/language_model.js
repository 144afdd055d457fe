"use strict";
// The course's language model in the page: attn_parts/language_model.py in plain JavaScript. Nothing is fetched.
// language_model_data.js has set languageModelData: its words, and its parameters and mean head outputs as half floats.
window.languageModel = (() => {
  const LAYERS = 2, HEADS = 4, WIDTH = 64, LONGEST = 48, D_K = WIDTH / HEADS;
  const {words: LEXICON, numbers, means: stored} = window.languageModelData;
  const NUMBERS = new Map(LEXICON.map((word, number) => [word, number]));

  function halves(base64) {
    const bytes = Uint8Array.from(atob(base64), c => c.charCodeAt(0));
    return Float64Array.from({length: bytes.length / 2}, (_, i) => {
      const bits = bytes[2 * i] + 256 * bytes[2 * i + 1], exponent = (bits >> 10) & 31, fraction = bits & 1023;
      const size = exponent ? (1 + fraction / 1024) * 2 ** (exponent - 15) : fraction * 2 ** -24;
      return bits >> 15 ? -size : size;
    });
  }

  const all = halves(numbers), means = halves(stored), layer = LAYERS * WIDTH * WIDTH;
  let begin = 0;
  const take = size => all.subarray(begin, begin += size);
  const E = take(LEXICON.length * WIDTH), P = take(LONGEST * WIDTH);
  const [W_Q, W_K, W_V, W_O] = [0, 1, 2, 3].map(() => take(layer));
  const U = take(WIDTH * LEXICON.length);

  // row (WIDTH,) times columns from..to of the matrix that begins at `start` of W and is `wide` columns wide
  function project(row, W, start, wide, from = 0, to = wide) {
    const made = new Float64Array(to - from);
    for (let i = 0; i < row.length; i++) {
      const x = row[i], begin = start + i * wide;
      for (let j = from; j < to; j++) made[j - from] += x * W[begin + j];
    }
    return made;
  }

  function dot(a, b) {
    let sum = 0;
    for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
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

  // Logits after every word, and weights[layer][head][row][column]. off: ablated heads as [layer, head]; how: "zero" or "mean".
  function forward(words, off = [], how = "zero") {
    if (how !== "zero" && how !== "mean") throw new Error(`how is “${how}”, expected “zero” or “mean”.`);
    let X = check(words).map(n => E.slice(n * WIDTH, (n + 1) * WIDTH));
    const weights = [];
    for (let l = 0; l < LAYERS; l++) {
      const placed = X.map((x, i) => x.map((value, j) => value + P[i * WIDTH + j]));
      const joined = X.map(() => new Float64Array(WIDTH));
      weights.push([]);
      for (let h = 0; h < HEADS; h++) {
        const columns = (rows, W) => rows.map(row => project(row, W, l * WIDTH * WIDTH, WIDTH, h * D_K, (h + 1) * D_K));
        const [Q, K, V] = [columns(placed, W_Q), columns(placed, W_K), columns(X, W_V)];
        const instead = off.some(pair => pair[0] === l && pair[1] === h) && how;
        weights[l].push(Q.map((query, i) => {
          const row = softmax(K.slice(0, i + 1).map(key => dot(query, key) / Math.sqrt(D_K)));
          for (let d = 0; d < D_K; d++) {
            let output = 0;
            if (instead === "mean") output = means[((l * HEADS + h) * LONGEST + i) * D_K + d];
            else if (!instead) for (let j = 0; j <= i; j++) output += row[j] * V[j][d];
            joined[i][h * D_K + d] = output;
          }
          return [...row, ...new Array(words.length - 1 - i).fill(0)];
        }));
      }
      X = X.map((x, i) => project(joined[i], W_O, l * WIDTH * WIDTH, WIDTH).map((value, j) => value + x[j]));
    }
    return {logits: X.map(x => Array.from(project(x, U, 0, LEXICON.length))), weights};
  }

  function run(words, off, how) {
    const {logits, weights} = forward(words, off, how);
    return {logits: logits.at(-1), weights};
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
