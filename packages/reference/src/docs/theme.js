// Applies the theme that the reader chose here or in the console, which keeps it under the same name.
const key = "ironlease.theme";
const root = document.documentElement;
try {
  const chosen = localStorage.getItem(key);
  if (chosen === "light" || chosen === "dark") root.dataset.theme = chosen;
} catch {
  // Storage may be blocked; the system setting then applies.
}

addEventListener("DOMContentLoaded", () => {
  const field = document.querySelector(".theme");
  field.hidden = false;
  field.querySelector(`[value=${root.dataset.theme ?? "system"}]`).checked = true;
  field.addEventListener("change", ({ target: { value } }) => {
    if (value === "system") delete root.dataset.theme;
    else root.dataset.theme = value;
    try {
      if (value === "system") localStorage.removeItem(key);
      else localStorage.setItem(key, value);
    } catch {
      // The choice then lasts until the page is closed.
    }
  });
});
