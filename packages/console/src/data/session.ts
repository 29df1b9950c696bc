import { clearTabStorage } from "./clear-tab-storage.ts";
import { createStore, useStore, type Store } from "./store.ts";
import { tabStorage } from "./tab-storage.ts";

/** What the page knows about its session. */
export interface SessionState {
  /** Undefined until the service has answered. */
  readonly username: string | undefined;
  /** The service reported that the session is no longer valid. */
  readonly isEnded: boolean;
}

const noSession: SessionState = { username: undefined, isEnded: false };

/** One per page load. */
export const session: Store<SessionState> = createStore(noSession);

/**
 * The signed-in user, under whose name the tab stores drafts and intents. Pages mount only once it is
 * known, so no lookup uses a wrong name.
 */
export function useUsername(): string {
  const { username } = useStore(session);
  if (username === undefined) throw new Error("useUsername() called before the session is known.");
  return username;
}

export function startSession(username: string): void {
  session.set({ username, isEnded: false });
}

export function endSession(): void {
  session.set({ ...session.get(), isEnded: true });
}

export function clearSession(): void {
  clearTabStorage(tabStorage);
  session.set(noSession);
}
