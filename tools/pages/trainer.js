"use strict";
// What trains a GPT on a list of lines, in a worker of the front page. attn_parts/gpt.js comes before it. The page asks for
// {list}, {go}, {stop} or {save}, and is told of the list, of the training about twice a second, and of the model.
globalThis.trainer = (() => {
  const FEWEST = 20, MOST_LETTERS = 150, LONGEST = 31; // lines, different letters, letters in a line
  const BATCH = 8; // windows a step
  const BETWEEN = 300, TURN = 40; // milliseconds of training from one report to the next, and until a message is listened for
  const PATIENCE = 10, RISEN = 1.1, LIMIT = 60; // where it stops: reports without a better held-out loss, that loss against its best, seconds
  const AVERAGED = 0.98; // what stays of the averaged parameters at each step

  // The different lines of a text, all made of its commonest letters, and what had to be left out or cut.
  function tidy(text) {
    const all = text.normalize("NFC").toLowerCase().split(/[\r\n\u2028\u2029]+/).map(line => line.replace(/\s+/g, " ").trim()).filter(Boolean);
    const counts = new Map();
    for (const line of all) for (const letter of line) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    const letters = [...counts.keys()].sort((a, b) => counts.get(b) - counts.get(a)).slice(0, MOST_LETTERS).sort();
    const known = new Set(letters), readable = all.filter(line => [...line].every(letter => known.has(letter)));
    const cut = readable.map(line => [...line].slice(0, LONGEST).join("").trim()), lines = [...new Set(cut)];
    return {
      lines, letters: ["\n", ...letters], strange: all.length - readable.length,
      long: readable.filter((line, k) => line !== cut[k]).length, twice: cut.length - lines.length,
    };
  }

  // Windows of `positions` + 1 numbers that begin at a line break, or in the middle of a long line; with `apart` they don't overlap.
  function windows(lines, letters, positions, apart) {
    const numbers = new Map(letters.map((letter, number) => [letter, number])), found = [];
    const text = [0, ...shuffled(lines).flatMap(line => [...[...line].map(letter => numbers.get(letter)), 0])];
    while (text.length <= positions) text.push(...text); // a few short lines
    for (let at = 0, line = 0, free = 0; at + positions < text.length; at++) {
      if (!text[at]) line = at;
      const begins = !text[at] || ((at - line) % (positions / 2) === 0 && !text.slice(line + 1, line + positions + 1).includes(0));
      if (!begins || at < free) continue;
      found.push(text.slice(at, at + positions + 1));
      free = apart ? at + positions : at;
    }
    return found;
  }

  function shuffled(all) {
    const mixed = [...all];
    for (let k = mixed.length - 1; k > 0; k--) {
      const other = Math.floor(Math.random() * (k + 1));
      [mixed[k], mixed[other]] = [mixed[other], mixed[k]];
    }
    return mixed;
  }

  const batch = chosen => [chosen.flatMap(window => window.slice(0, -1)), chosen.flatMap(window => window.slice(1)), chosen.length];

  // The mean of -ln p(next letter) where p is how often it followed the letter before; each pair counts a little more.
  function bigram(training, held, letters) {
    const counts = Array.from({length: letters}, () => new Float64Array(letters + 1).fill(0.1));
    for (const row of counts) row[letters] = 0.1 * letters;
    for (const window of training) for (let k = 1; k < window.length; k++) {
      counts[window[k - 1]][window[k]]++;
      counts[window[k - 1]][letters]++;
    }
    const losses = held.flatMap(window => window.slice(1).map((letter, k) => -Math.log(counts[window[k]][letter] / counts[window[k]][letters])));
    return losses.reduce((sum, each) => sum + each, 0) / losses.length;
  }

  // How a list of so many lines is trained: a short one with a small model, and with some of the letters that it reads replaced.
  function settings(lines) {
    if (lines < 300) return {width: 16, rate: 0.003, decay: 0.2, replaced: 0.1, every: 5};
    if (lines < 1500) return {width: 24, rate: 0.006, decay: 0.1, replaced: 0.1, every: 10};
    return {width: 32, rate: 0.01, decay: 0, replaced: 0, every: 10};
  }

  function prepare(text) {
    const list = tidy(text), {lines, letters} = list;
    if (lines.length < FEWEST) return {...list, problem: `A list needs at least ${FEWEST} different lines, and here ${lines.length === 1 ? "is 1" : `are ${lines.length}`}.`};
    const how = settings(lines.length), apart = line => line % how.every === how.every - 1;
    const positions = lines.filter(line => line.length < 16).length > 0.9 * lines.length ? 16 : 32;
    const training = lines.filter((_, k) => !apart(k)), seen = windows(training, letters, positions);
    const held = windows(lines.filter((_, k) => apart(k)), letters, positions, true).slice(0, 256);
    const sizes = {letters: letters.length, width: how.width, blocks: 1, positions, heads: 4};
    return {...list, how, sizes, training, seen, held, bigram: bigram(seen, held, letters.length)};
  }

  function heldOutLoss(model, held) {
    let sum = 0;
    for (let k = 0; k < held.length; k += 32) {
      const part = held.slice(k, k + 32);
      sum += gpt.loss(model, ...batch(part)) * part.length;
    }
    return sum / held.length;
  }

  const copy = model => Object.fromEntries(Object.entries(model).map(([name, part]) => [name, name === "sizes" ? part : part.slice()]));

  // A training of which each call does one step. `averaged` is the mean of the latest models, which is better than the last one.
  function begin({how, sizes, seen}) {
    const model = gpt.start(sizes), adam = gpt.adam(model, how.decay), averaged = copy(model), training = {averaged, steps: 0, seconds: 0};
    training.step = () => {
      const [given, asked, n] = batch(Array.from({length: BATCH}, () => seen[Math.floor(Math.random() * seen.length)]));
      const read = given.map(letter => Math.random() < how.replaced ? Math.floor(Math.random() * sizes.letters) : letter);
      const {gradients} = gpt.gradients(model, read, asked, n), steps = ++training.steps;
      adam(gradients, how.rate * Math.min(1, steps / 20));
      const kept = Math.min(AVERAGED, steps / (steps + 10));
      for (const name of Object.keys(averaged)) {
        if (name !== "sizes") averaged[name].forEach((value, k) => { averaged[name][k] += (1 - kept) * (model[name][k] - value); });
      }
    };
    return training;
  }

  function write(model, letters) {
    const numbers = [0];
    while (numbers.length < 3 * model.sizes.positions && (numbers.length === 1 || numbers.at(-1))) numbers.push(gpt.next(model, numbers, 0.8));
    return numbers.map(number => letters[number]).join("").trim();
  }

  // What a page asks of a worker, and what it is told.
  function listen(tell) {
    let list, known, training, best, shown, turns = 0;

    function report(model, more) {
      shown = model;
      const samples = Array.from({length: 8}, () => write(model, list.letters)).map(text => ({text, copied: known.has(text)}));
      tell({kind: "progress", seconds: training.seconds, loss: best.now, samples, ...more});
    }

    // Trains until `turns` has moved on or time is over, and with `patience` until the held-out loss falls no more.
    async function train(patience) {
      const mine = ++turns, end = training.seconds + LIMIT;
      for (let since = 0, waited = 0; mine === turns;) {
        const before = performance.now();
        while (performance.now() - before < TURN) training.step();
        const spent = performance.now() - before;
        since += spent;
        training.seconds += spent / 1000;
        if (since >= BETWEEN) {
          since = 0;
          best.now = heldOutLoss(training.averaged, list.held);
          if (best.now < best.loss) Object.assign(best, {loss: best.now, model: copy(training.averaged), steps: training.steps});
          waited = best.now === best.loss ? 0 : waited + 1;
          const risen = best.now > RISEN * best.loss, late = training.seconds >= end;
          const why = late ? "time" : patience && risen ? "risen" : patience && waited >= PATIENCE && "best";
          if (why) turns++;
          if (why === "best") best.now = best.loss;
          report(why === "best" ? best.model : training.averaged, {why, steps: why === "best" ? best.steps : training.steps});
        }
        await new Promise(done => setTimeout(done)); // a message may have come
      }
    }

    return ({list: text, go, stop, save}) => {
      if (text !== undefined) {
        turns++;
        list = prepare(text);
        const {lines, strange, long, twice, problem, sizes, bigram} = list;
        tell({kind: "list", lines: lines.length, strange, long, twice, problem, bigram, training: list.training?.length, parameters: sizes && gpt.count(gpt.start(sizes))});
        if (problem) return;
        known = new Set(lines);
        training = begin(list);
        best = {loss: Infinity};
        train(true);
      }
      if (go) train(false);
      if (stop) turns++;
      if (save) tell({kind: "model", letters: list.letters, model: gpt.pack(shown)});
    };
  }

  return {prepare, begin, heldOutLoss, write, listen};
})();

if (typeof WorkerGlobalScope !== "undefined") onmessage = (answer => ({data}) => answer(data))(trainer.listen(postMessage));
