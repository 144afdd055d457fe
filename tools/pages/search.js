// The search: sections.js, which conf.py writes, holds pages, each [address, title, [[anchor, heading, text], …]].
const query = new URLSearchParams(location.search).get("q") ?? "";
const WORDS = /[\p{L}\p{N}_]+/gu;
const asked = query.toLowerCase().match(WORDS) ?? [];
const words = asked.map(known);
const starts = words.map((word) => new RegExp(`(?<![\\p{L}\\p{N}_])${word}`, "giu")); // of words that begin so

// The word itself, or the likeliest that it is a typing error for: "mask" for "maks".
function known(word) {
  const everything = pages.map(([, title, sections]) => [title, ...sections.flatMap((section) => section.slice(1))]);
  const there = {};
  for (const other of everything.flat().join(" ").toLowerCase().match(WORDS)) there[other] = (there[other] ?? 0) + 1;
  if (Object.keys(there).some((other) => other.startsWith(word))) return word;
  let best = [1 + Math.floor(word.length / 4), -Infinity, word]; // more errors are another word
  for (const other in there) {
    if (Math.abs(other.length - word.length) >= best[0]) continue;
    const likely = [errors(word, other), -there[other], other];
    if (likely[0] < best[0] || (likely[0] === best[0] && likely[1] < best[1])) best = likely;
  }
  return best[2];
}

// How many letters are wrong, missing, too many, or changed places with the next.
function errors(one, other) {
  const rows = [[...Array(other.length + 1).keys()]];
  for (let i = 1; i <= one.length; i++) {
    rows.push([i]);
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1];
      const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const least = Math.min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + !same);
      rows[i].push(swapped ? Math.min(least, rows[i - 2][j - 2] + 1) : least);
    }
  }
  return rows[one.length][other.length];
}

const count = (text, start) => text.match(start)?.length ?? 0;

// How much a page says about the words: rare ones count more, a heading as much as five mentions, and lessons more than
// other pages. The first one mentions everything, so it only comes first when its own headings do.
function ranked() {
  const found = pages.map(([address, title, sections]) => {
    const says = sections.map(([, heading, text]) =>
      starts.map((start) => count(text, start) + 5 * count(heading, start)),
    );
    const total = starts.map((start, k) => says.reduce((sum, counts) => sum + counts[k], 10 * count(title, start)));
    return { address, title, sections, says, total };
  });
  const rare = starts.map((_, k) => Math.log(1 + found.length / found.filter(({ total }) => total[k]).length));
  const worth = (counts) => counts.reduce((sum, n, k) => sum + (n ? rare[k] * Math.log1p(n) : 0), 0);
  for (const page of found) {
    page.best = page.says.map((counts, k) => [worth(counts), ...page.sections[k]]).filter(([score]) => score);
    page.best.sort((a, b) => b[0] - a[0]);
    page.score = (worth(page.total) + (page.best[0]?.[0] ?? 0)) * weight(page.address);
  }
  const all = found.filter(({ total }) => total.every(Boolean));
  return (all.length ? all : found.filter(({ score }) => score)).sort((a, b) => b.score - a.score);
}

function weight(address) {
  return !address.startsWith("notebooks/") ? 1 : address.startsWith("notebooks/00") ? 1.2 : 2;
}

// The words around the first mention, those looked for marked.
function excerpt(text) {
  const first = Math.min(...starts.map((start) => text.search(start)).filter((place) => place >= 0));
  if (first === Infinity) return text.slice(0, 160);
  const from = first < 60 ? 0 : text.indexOf(" ", first - 60) + 1;
  const to = text.indexOf(" ", first + 140);
  return (from ? "… " : "") + text.slice(from, to < 0 ? undefined : to) + (to < 0 ? "" : " …");
}

function marked(text) {
  const paragraph = document.createElement("p");
  let rest = 0;
  const any = new RegExp(starts.map((start) => start.source).join("|"), "giu");
  for (const { 0: word, index } of text.matchAll(any)) {
    const mark = document.createElement("mark");
    mark.textContent = word;
    paragraph.append(text.slice(rest, index), mark);
    rest = index + word.length;
  }
  paragraph.append(text.slice(rest));
  return paragraph;
}

function link(address, text, kind) {
  const line = document.createElement(kind);
  line.innerHTML = "<a></a>";
  line.firstChild.href = address;
  line.firstChild.textContent = text;
  return line;
}

document.querySelectorAll("input[name=q]").forEach((field) => (field.value = query));
if (words.length) {
  const found = ranked();
  const results = document.getElementById("search-results");
  for (const { address, title, best } of found.slice(0, 12)) {
    results.append(link(address, title, "h2"));
    for (const [, anchor, heading, text] of best.slice(0, 3)) {
      const asked = address === "mistakes.html" ? `?q=${encodeURIComponent(words.join(" "))}` : ""; // which it lists
      if (heading !== title) results.append(link(`${address}${asked}#${anchor}`, heading, "h3"));
      results.append(marked(excerpt(text)));
    }
  }
  const meant = words.join(" ") === asked.join(" ") ? query : words.join(" ");
  const instead = meant === query ? "" : `“${query}” is on no page. `;
  document.getElementById("search-summary").textContent = found.length
    ? `${instead}“${meant}” on ${found.length === 1 ? "1 page" : `${found.length} pages, the likeliest first`}.`
    : `“${query}” is on no page.`;
}
