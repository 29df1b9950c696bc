import { forgetTab } from "./forget-tab.ts";
import { createStore, useStore, type Store } from "./store.ts";
import { tabStorage } from "./tab-storage.ts";

/** What the console knows of the sign-in that it works under. */
export interface SessionState {
  /** Whose it is; undefined before the service has said so. */
  readonly username: string | undefined;
  /** The service has said that nobody is signed in (any longer). */
  readonly isEnded: boolean;
}

const nobody: SessionState = { username: undefined, isEnded: false };

/** One per page: a page belongs to one sign-in at a time. */
export const session: Store<SessionState> = createStore(nobody);

/**
 * Whose page this is, for what the tab keeps under that name. Pages are shown only once it is known, so that
 * nothing is ever looked up under nobody's name or another's.
 */
export function useUsername(): string {
  const { username } = useStore(session);
  if (username === undefined) throw new Error("a page is shown before its account is known");
  return username;
}

export function sessionBegan(username: string): void {
  session.set({ username, isEnded: false });
}

export function sessionEnded(): void {
  session.set({ ...session.get(), isEnded: true });
}

export function signedOut(): void {
  forgetTab(tabStorage);
  session.set(nobody);
}
