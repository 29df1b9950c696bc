import type { SignIn } from "./session.ts";

/** What goes with a request to say who is asking. */
export interface Credentials {
  /** Whether a browser adds its cookies. */
  readonly mode: "omit" | "same-origin";
  headers(signIn: SignIn, isChange: boolean): Record<string, string>;
}

/** A key, and never a cookie: a key on its own is all that its reads need. */
export function keyCredentials(apiKey: string): Credentials {
  return { mode: "omit", headers: () => ({ authorization: `Bearer ${apiKey}` }) };
}

/** Cookies and token of one sign-in. The token goes with changes only. */
export const sessionCredentials: Credentials = {
  mode: "same-origin",
  headers: ({ cookie, token }, isChange) => ({
    ...(cookie === undefined ? {} : { cookie }),
    ...(token === undefined || !isChange ? {} : { "x-csrf-token": token }),
  }),
};
