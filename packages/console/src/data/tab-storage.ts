import type { IntentStorage } from "./intents.ts";

/**
 * The tab's own storage: it outlives a reload and ends with the tab. Where the browser has switched
 * storage off, a map does for as long as the page lives.
 */
export const tabStorage: IntentStorage = openTabStorage();

function openTabStorage(): IntentStorage {
  try {
    sessionStorage.setItem("ironlease.probe", "1");
    sessionStorage.removeItem("ironlease.probe");
    return sessionStorage;
  } catch {
    const kept = new Map<string, string>();
    return {
      getItem: (name) => kept.get(name) ?? null,
      setItem: (name, value) => void kept.set(name, value),
      removeItem: (name) => void kept.delete(name),
    };
  }
}
