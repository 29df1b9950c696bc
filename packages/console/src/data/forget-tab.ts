import { isUnsettled } from "./intents.ts";
import type { TabStorage } from "./map-storage.ts";

/**
 * At sign-out: whoever sits down next finds nothing of what was written, made or looked at here. Only
 * what was sent and never answered stays, since without its key it could be done twice.
 */
export function forgetTab(storage: TabStorage): void {
  for (const name of storage.names()) {
    const isOurs = name.startsWith("ironlease.");
    if (isOurs && !isUnsettled(name, storage.getItem(name))) storage.removeItem(name);
  }
}
