// Runs before the first paint. theme.ts uses the same key and values.
try {
  const chosen = localStorage.getItem("ironlease.theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // Storage may be blocked; the system setting then applies.
}
