import type { IntentStorage } from "./intents.ts";

/** Per-tab storage that can list its keys. */
export interface TabStorage extends IntentStorage {
  names(): readonly string[];
}

/** Fallback that lasts as long as the page. */
export function memoryStorage(): TabStorage {
  const items = new Map<string, string>();
  return {
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => void items.set(name, value),
    removeItem: (name) => void items.delete(name),
    names: () => [...items.keys()],
  };
}
