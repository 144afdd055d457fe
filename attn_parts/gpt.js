"use strict";
// gpt.py in plain JavaScript, for a page, a worker or node: the same parameters by name, the pass forward and backward, Adam,
// sampling. A matrix is one array, row after row; those of several blocks follow one another. The mask is causal.
globalThis.gpt = (() => {
  const SMALL = 1e-5; // below the root of rms_norm
  const OF_BLOCKS = ["W_Q", "W_K", "W_V", "W_O", "W_1", "W_2"];

  // Rows and columns of each parameter; of one block, where there are several.
  function shapes({letters, width, positions}) {
    const square = [width, width];
    return {
      E: [letters, width], P: [positions, width], W_Q: square, W_K: square, W_V: square, W_O: square,
      W_1: [width, 4 * width], W_2: [4 * width, width], U: [width, letters],
    };
  }

  // A model is its sizes, {letters, width, blocks, positions, heads}, and an array for each parameter.
  function zeros(sizes, Numbers = Float32Array) {
    const model = {sizes};
    for (const [name, [rows, columns]] of Object.entries(shapes(sizes))) {
      model[name] = new Numbers(rows * columns * (OF_BLOCKS.includes(name) ? sizes.blocks : 1));
    }
    return model;
  }

  const names = model => Object.keys(model).filter(name => name !== "sizes");
  const count = model => names(model).reduce((sum, name) => sum + model[name].length, 0);

  function start(sizes, random = Math.random) {
    const model = zeros(sizes);
    for (const [name, [rows]] of Object.entries(shapes(sizes))) {
      const size = (name === "E" || name === "P" ? 1 : rows ** -0.5) * (["W_O", "W_2", "U"].includes(name) ? 0.5 : 1);
      for (let i = 0; i < model[name].length; i++) {
        model[name][i] = size * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
      }
    }
    return model;
  }

  // The matrices of one block by name.
  function blockOf(model, block) {
    const part = name => model[name].subarray(model[name].length / model.sizes.blocks * block).subarray(0, model[name].length / model.sizes.blocks);
    return Object.fromEntries(OF_BLOCKS.map(name => [name, part(name)]));
  }

  // --- products of matrices; each is given with how many columns the second one has

  // A·B, added to a copy of `added`: two rows of A and four rows of B at a time, three times as fast as one number after another.
  function times(A, B, columns, added) {
    const inner = B.length / columns, rows = A.length / inner, made = added ? added.slice() : new A.constructor(rows * columns);
    const one = (row, k) => {
      const a = A[row * inner + k], to = row * columns, from = k * columns;
      for (let j = 0; j < columns; j++) made[to + j] += a * B[from + j];
    };
    const pairs = rows - rows % 2, fours = inner - inner % 4;
    for (let row = 0; row < pairs; row += 2) {
      const to = row * columns, next = to + columns, p = row * inner, q = p + inner;
      for (let k = 0; k < fours; k += 4) {
        const a = A[p + k], b = A[p + k + 1], c = A[p + k + 2], d = A[p + k + 3];
        const e = A[q + k], f = A[q + k + 1], g = A[q + k + 2], h = A[q + k + 3];
        const first = k * columns, second = first + columns, third = second + columns, fourth = third + columns;
        for (let j = 0; j < columns; j++) {
          const w = B[first + j], x = B[second + j], y = B[third + j], z = B[fourth + j];
          made[to + j] += a * w + b * x + c * y + d * z;
          made[next + j] += e * w + f * x + g * y + h * z;
        }
      }
    }
    for (let row = 0; row < rows; row++) for (let k = row < pairs ? fours : 0; k < inner; k++) one(row, k);
    return made;
  }

  function transposed(A, columns) {
    const rows = A.length / columns, made = new A.constructor(A.length);
    for (let row = 0; row < rows; row++) for (let j = 0; j < columns; j++) made[j * rows + row] = A[row * columns + j];
    return made;
  }

  // From D, the gradient at X·W with its columns: the gradient at X, and the one at W, which is added to G.
  const back = (D, W, columns, added) => times(D, transposed(W, columns), W.length / columns, added);
  function addGradient(G, X, D, columns) {
    G.set(times(transposed(X, G.length / columns), D, columns, G));
  }

  // --- the parts of a block, forward and backward

  // Each row divided by its size, and the sizes.
  function rmsNorm(X, width) {
    const normed = X.slice(), sizes = new X.constructor(X.length / width);
    for (let row = 0; row < sizes.length; row++) {
      let square = 0;
      for (let j = row * width; j < (row + 1) * width; j++) square += X[j] * X[j];
      sizes[row] = Math.sqrt(square / width + SMALL);
      for (let j = row * width; j < (row + 1) * width; j++) normed[j] /= sizes[row];
    }
    return {normed, sizes};
  }

  function addNormBack(d_X, {normed, sizes}, d_normed, width) {
    for (let row = 0; row < sizes.length; row++) {
      let along = 0;
      for (let j = row * width; j < (row + 1) * width; j++) along += normed[j] * d_normed[j];
      for (let j = row * width; j < (row + 1) * width; j++) d_X[j] += (d_normed[j] - normed[j] * along / width) / sizes[row];
    }
  }

  function softmax(scores) {
    const largest = Math.max(...scores), powers = Array.from(scores, score => Math.exp(score - largest));
    const total = powers.reduce((sum, power) => sum + power);
    return powers.map(power => power / total);
  }

  // For every letter and head: where the row of weights begins, the query, and the first of the keys, of which the letter sees i + 1.
  function eachQuery({width, heads}, n, length, visit) {
    for (let text = 0; text < n; text++) {
      for (let head = 0; head < heads; head++) {
        const keys = text * length * width + head * width / heads;
        for (let i = 0; i < length; i++) visit(((text * heads + head) * length + i) * length, keys + i * width, keys, i);
      }
    }
  }

  // The heads' outputs, joined, and all weights (texts, heads, length, length).
  function attend(sizes, {Q, K, V}, n, length) {
    const {width, heads} = sizes, d_k = width / heads, scale = d_k ** -0.5;
    const joined = new Q.constructor(Q.length), weights = new Q.constructor(n * heads * length * length);
    eachQuery(sizes, n, length, (row, query, keys, i) => {
      let largest = -Infinity, total = 0;
      for (let k = 0; k <= i; k++) {
        let score = 0;
        for (let j = 0; j < d_k; j++) score += Q[query + j] * K[keys + k * width + j];
        weights[row + k] = score * scale;
        largest = Math.max(largest, score * scale);
      }
      for (let k = 0; k <= i; k++) total += weights[row + k] = Math.exp(weights[row + k] - largest);
      for (let k = 0; k <= i; k++) {
        const weight = weights[row + k] /= total;
        for (let j = 0; j < d_k; j++) joined[query + j] += weight * V[keys + k * width + j];
      }
    });
    return {joined, weights};
  }

  function attendBack(sizes, {Q, K, V, weights}, d_joined, n, length) {
    const {width, heads} = sizes, d_k = width / heads, scale = d_k ** -0.5;
    const [d_Q, d_K, d_V] = [0, 0, 0].map(() => new Q.constructor(Q.length)), d_weights = new Q.constructor(length);
    eachQuery(sizes, n, length, (row, query, keys, i) => {
      let mean = 0;
      for (let k = 0; k <= i; k++) {
        const weight = weights[row + k], key = keys + k * width;
        d_weights[k] = 0;
        for (let j = 0; j < d_k; j++) {
          d_weights[k] += d_joined[query + j] * V[key + j];
          d_V[key + j] += weight * d_joined[query + j];
        }
        mean += weight * d_weights[k];
      }
      for (let k = 0; k <= i; k++) {
        const d_score = weights[row + k] * (d_weights[k] - mean) * scale, key = keys + k * width;
        for (let j = 0; j < d_k; j++) {
          d_Q[query + j] += d_score * K[key + j];
          d_K[key + j] += d_score * Q[query + j];
        }
      }
    });
    return {W_Q: d_Q, W_K: d_K, W_V: d_V};
  }

  // --- the model

  // Logits after each letter of `n` texts of equal length, one after another in `numbers`, and what the way back needs.
  function forward(model, numbers, n = 1) {
    const {sizes, E, P, U} = model, {width} = sizes, length = numbers.length / n;
    let X = new E.constructor(numbers.length * width);
    numbers.forEach((letter, row) => {
      for (let j = 0; j < width; j++) X[row * width + j] = E[letter * width + j] + P[row % length * width + j];
    });
    const kept = [];
    for (let block = 0; block < sizes.blocks; block++) {
      const W = blockOf(model, block), before = rmsNorm(X, width);
      const [Q, K, V] = [W.W_Q, W.W_K, W.W_V].map(matrix => times(before.normed, matrix, width));
      const {joined, weights} = attend(sizes, {Q, K, V}, n, length);
      X = times(joined, W.W_O, width, X);
      const between = rmsNorm(X, width);
      const hidden = times(between.normed, W.W_1, 4 * width).map(x => Math.max(x, 0));
      X = times(hidden, W.W_2, width, X);
      kept.push({W, before, Q, K, V, weights, joined, between, hidden});
    }
    const final = rmsNorm(X, width);
    return {logits: times(final.normed, U, sizes.letters), final, kept, weights: kept.map(({weights}) => weights)};
  }

  // The mean of -ln p(asked letter), and in place of the logits its gradient there.
  function crossEntropy(logits, asked, letters) {
    let loss = 0;
    asked.forEach((letter, row) => {
      const own = logits.subarray(row * letters, (row + 1) * letters), shares = softmax(own);
      loss -= Math.log(shares[letter]) / asked.length;
      own.set(shares.map((share, k) => (share - (k === letter)) / asked.length));
    });
    return loss;
  }

  const loss = (model, given, asked, n) => crossEntropy(forward(model, given, n).logits, asked, model.sizes.letters);

  // The loss of predicting `asked`, the next letters, from `given`, and the gradient at each parameter.
  function gradients(model, given, asked, n) {
    const {sizes, U} = model, {width, letters} = sizes, length = given.length / n;
    const {logits, final, kept} = forward(model, given, n), found = zeros(sizes, model.E.constructor);
    const loss = crossEntropy(logits, asked, letters); // the logits are now their gradients
    addGradient(found.U, final.normed, logits, letters);
    const d_X = new U.constructor(given.length * width);
    addNormBack(d_X, final, back(logits, U, letters), width);
    for (let block = sizes.blocks - 1; block >= 0; block--) blockBack(sizes, kept[block], blockOf(found, block), d_X, n, length);
    given.forEach((letter, row) => {
      for (let j = 0; j < width; j++) {
        found.E[letter * width + j] += d_X[row * width + j];
        found.P[row % length * width + j] += d_X[row * width + j];
      }
    });
    return {loss, gradients: found};
  }

  // Changes d_X from the gradient behind the block to the one before it, and adds those at its matrices to G.
  function blockBack(sizes, {W, before, between, hidden, joined, ...attention}, G, d_X, n, length) {
    const {width} = sizes, d_hidden = back(d_X, W.W_2, width).map((d, i) => hidden[i] > 0 ? d : 0);
    addGradient(G.W_2, hidden, d_X, width);
    addGradient(G.W_1, between.normed, d_hidden, 4 * width);
    addNormBack(d_X, between, back(d_hidden, W.W_1, 4 * width), width);
    addGradient(G.W_O, joined, d_X, width);
    const parts = attendBack(sizes, attention, back(d_X, W.W_O, width), n, length);
    let d_before;
    for (const [name, part] of Object.entries(parts)) {
      addGradient(G[name], before.normed, part, width);
      d_before = back(part, W[name], width, d_before);
    }
    addNormBack(d_X, before, d_before, width);
  }

  // A function that changes the model a little, by gradients and a rate; `decay` also shrinks every parameter a little.
  function adam(model, decay = 0) {
    const [mean, square] = [0, 0].map(() => zeros(model.sizes, model.E.constructor));
    let steps = 0;
    return (gradients, rate) => {
      steps++;
      const begun = 1 - 0.9 ** steps, known = 1 - 0.999 ** steps; // both means start at 0
      for (const name of names(model)) {
        const [W, m, s, G] = [model, mean, square, gradients].map(all => all[name]);
        for (let i = 0; i < W.length; i++) {
          m[i] += 0.1 * (G[i] - m[i]);
          s[i] += 0.001 * (G[i] * G[i] - s[i]);
          W[i] -= rate * (m[i] / begun / (Math.sqrt(s[i] / known) + 1e-8) + decay * W[i]);
        }
      }
    };
  }

  // --- writing, and a model as text

  const probabilities = (logits, temperature = 1) => softmax(Array.from(logits, logit => logit / temperature));

  // What follows the last letter: its number, drawn by its probability. Only as many letters are read as there are positions.
  function next(model, numbers, temperature, random = Math.random) {
    const {logits} = forward(model, numbers.slice(-model.sizes.positions));
    let chance = random();
    const drawn = probabilities(logits.slice(-model.sizes.letters), temperature).findIndex(share => (chance -= share) < 0);
    return Math.max(drawn, 0);
  }

  // Each parameter as whole numbers of 16 bits, of which the largest is its own largest, in base64.
  function pack(model) {
    const packed = {sizes: model.sizes};
    for (const name of names(model)) {
      const largest = model[name].reduce((most, x) => Math.max(most, Math.abs(x)), 0);
      const bytes = new Uint8Array(Int16Array.from(model[name], x => Math.round(x / largest * 32767)).buffer);
      packed[name] = [largest, btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(""))];
    }
    return packed;
  }

  function unpack(packed) {
    const model = {sizes: packed.sizes};
    for (const name of names(packed)) {
      const [largest, text] = packed[name], bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
      model[name] = Float32Array.from(new Int16Array(bytes.buffer), whole => whole / 32767 * largest);
    }
    return model;
  }

  return {start, count, forward, loss, gradients, adam, probabilities, next, pack, unpack};
})();
