// The list of mistakes: shown by lesson and by words, and an address opens the fold in which its mistake is.
const filter = document.querySelector(".attn-filter");
const [lesson, words] = filter.querySelectorAll("select, input");
const folds = [...document.querySelectorAll("details[id^=lesson-]")].map((fold) => ({
  fold,
  items: [...fold.querySelectorAll("li")].map((item) => [item, plain(item.textContent).join(" ")]),
}));

function plain(text) {
  return text.toLowerCase().replace(/[’']/g, "").match(/[\p{L}\p{N}√−∞]+/gu) ?? [];
}

function show() {
  const wanted = plain(words.value);
  const asked = lesson.value !== "" || wanted.length > 0;
  let shown = 0;
  for (const { fold, items } of folds) {
    let here = 0;
    for (const [item, text] of items) {
      item.hidden = (lesson.value && lesson.value !== fold.id) || !wanted.every((word) => text.includes(word));
      here += !item.hidden;
    }
    fold.hidden = !here;
    fold.open = asked && here > 0;
    shown += here;
  }
  filter.querySelector("[role=status]").textContent = asked ? `${shown} of ${count}` : "";
}

function reach() {
  const item = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const fold = item?.closest("details[id^=lesson-]");
  if (!fold) return;
  if (item.hidden || fold.hidden) {
    lesson.value = words.value = "";
    show();
  }
  fold.open = true;
  item.scrollIntoView();
}

const count = folds.reduce((sum, { items }) => sum + items.length, 0);
filter.hidden = false;
filter.addEventListener("input", show);
words.value = new URLSearchParams(location.search).get("q") ?? ""; // as the search links here
show();
addEventListener("hashchange", reach);
reach();
