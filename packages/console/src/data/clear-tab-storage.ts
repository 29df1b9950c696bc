import { isUnanswered } from "./intents.ts";
import type { TabStorage } from "./memory-storage.ts";

/**
 * Runs at sign-out, so that the next user of the tab finds no drafts. Intents without an answer stay:
 * without their idempotency key, a retry could run them twice.
 */
export function clearTabStorage(storage: TabStorage): void {
  for (const name of storage.names()) {
    const isOwn = name.startsWith("ironlease.");
    if (isOwn && !isUnanswered(name, storage.getItem(name))) storage.removeItem(name);
  }
}
