import { createStore, useStore } from "#data/store.ts";

export type Theme = "system" | "light" | "dark";

/** early-theme.js reads the same name before the first paint. */
const storageName = "ironlease.theme";

const chosen = createStore<Theme>(readTheme());

export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  return [useStore(chosen), chooseTheme];
}

function chooseTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === "system") delete dataset["theme"];
  else dataset["theme"] = theme;
  try {
    if (theme === "system") localStorage.removeItem(storageName);
    else localStorage.setItem(storageName, theme);
  } catch {
    // Storage may be switched off: then the choice holds until the page is left.
  }
  chosen.set(theme);
}

function readTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === "light" || theme === "dark" ? theme : "system";
}
