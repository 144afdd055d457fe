// The search: sections.js, which conf.py writes, holds pages, each [address, title, [[anchor, heading, text], …]].
const query = new URLSearchParams(location.search).get("q") ?? "";
const words = query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
const starts = words.map((word) => new RegExp(`(?<![\\p{L}\\p{N}_])${word}`, "giu")); // of words that begin so
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
      if (heading !== title) results.append(link(`${address}#${anchor}`, heading, "h3"));
      results.append(marked(excerpt(text)));
    }
  }
  document.getElementById("search-summary").textContent = found.length
    ? `“${query}” on ${found.length === 1 ? "1 page" : `${found.length} pages, the likeliest first`}.`
    : `“${query}” is on no page.`;
}
