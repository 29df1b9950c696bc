// Progressive enhancement: filter, current section and copy buttons.

const contents = document.querySelector("#contents");
const links = [...contents.querySelectorAll("a")];

const filter = contents.querySelector(".filter");
const input = filter.querySelector("input");
const entries = [...contents.querySelectorAll("[data-search]")];
filter.hidden = false;
input.addEventListener("input", () => {
  const words = input.value.toLowerCase().split(/\s+/);
  for (const entry of entries) {
    const isFound = words.every((word) => entry.dataset.search.includes(word) === true);
    entry.toggleAttribute("hidden", !isFound);
  }
  for (const part of contents.querySelectorAll(".operations")) {
    part.hidden = part.querySelector("li:not([hidden])") === null;
  }
});
input.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  contents.querySelector("[data-search]:not([hidden]) a")?.click();
});
document.addEventListener("keydown", (event) => {
  const isTyping = document.activeElement === input;
  if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  if (!input.checkVisibility()) contents.showPopover();
  input.focus();
});

// On narrow screens the contents cover the page, so following a link closes them.
contents.addEventListener("click", (event) => {
  if (event.target.closest("a") !== null && contents.matches(":popover-open")) {
    contents.hidePopover();
  }
});

// The current link is that of the last heading above the fold.
const headings = links.map((link) => document.getElementById(link.hash.slice(1)));
let current;
function markCurrent() {
  const reached = headings.findLastIndex(
    (heading) => heading.getBoundingClientRect().top < innerHeight / 4,
  );
  const link = links[Math.max(reached, 0)];
  if (link === current) return;
  current?.removeAttribute("aria-current");
  link.setAttribute("aria-current", "true");
  if (!contents.matches(":hover, :focus-within")) scrollContentsTo(link);
  current = link;
}
function scrollContentsTo(link) {
  const { top, bottom } = link.getBoundingClientRect();
  const frame = contents.getBoundingClientRect();
  if (top < frame.top || bottom > frame.bottom) contents.scrollTop += top - frame.top - 80;
}
let isDue = false;
addEventListener(
  "scroll",
  () => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      markCurrent();
    });
  },
  { passive: true },
);
markCurrent();

for (const figure of document.querySelectorAll("figure.code")) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.addEventListener("click", () => {
    void navigator.clipboard.writeText(figure.querySelector("pre").textContent).then(() => {
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = "Copy"), 2000);
      return undefined;
    });
  });
  figure.querySelector("figcaption").append(button);
}
