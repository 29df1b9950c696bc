// Runs before the first paint, and before the app. theme.ts uses the same key and values.
try {
  const chosen = localStorage.getItem("ironlease.theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // Storage may be blocked; the system setting then applies.
}

// If a script cannot be loaded, or throws before the app shows anything, the page would stay empty. Failures of
// scripts do not bubble, hence the capture.
addEventListener(
  "error",
  ({ target }) => {
    if (target instanceof HTMLElement && target.localName !== "script") return;
    // React reports an error before it has removed what it could not show.
    setTimeout(() => {
      const app = document.getElementById("app");
      const notice = document.getElementById("start-failed");
      if (app === null || notice === null || app.childElementCount > 0) return;
      notice.hidden = false;
      notice.querySelector("button")?.addEventListener("click", () => location.reload());
    });
  },
  { capture: true },
);
