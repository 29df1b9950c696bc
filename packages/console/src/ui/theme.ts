import { createStore, useStore } from "#data/store.ts";

export type Theme = "system" | "light" | "dark";

/** early.js reads the same key before the first paint. */
const storageKey = "ironlease.theme";

const chosen = createStore<Theme>(readTheme());

export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  return [useStore(chosen), chooseTheme];
}

function chooseTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === "system") delete dataset["theme"];
  else dataset["theme"] = theme;
  try {
    if (theme === "system") localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, theme);
  } catch {
    // Storage may be blocked; the choice then lasts until the page is closed.
  }
  chosen.set(theme);
}

function readTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === "light" || theme === "dark" ? theme : "system";
}
