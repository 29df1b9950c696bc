import type { IntentStorage } from "./intents.ts";

/** What a tab keeps, and under which names. */
export interface TabStorage extends IntentStorage {
  names(): readonly string[];
}

/** Keeps it for as long as the page lives. */
export function mapStorage(): TabStorage {
  const kept = new Map<string, string>();
  return {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => void kept.set(name, value),
    removeItem: (name) => void kept.delete(name),
    names: () => [...kept.keys()],
  };
}
