// Runs before the first paint; theme.ts keeps the same name and the same values.
try {
  const chosen = localStorage.getItem("ironlease.theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // Storage may be switched off: then the system's setting holds.
}
