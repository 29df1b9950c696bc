import type { SignIn } from "./session.ts";

export interface Credentials {
  /** Whether a browser adds its cookies. */
  readonly mode: "omit" | "same-origin";
  headers(signIn: SignIn, isChange: boolean): Record<string, string>;
}

/** Sends the API key and no cookies. */
export function keyCredentials(apiKey: string): Credentials {
  return { mode: "omit", headers: () => ({ authorization: `Bearer ${apiKey}` }) };
}

/** Sends the cookies of a session, and its CSRF token with changes. */
export const sessionCredentials: Credentials = {
  mode: "same-origin",
  headers: ({ cookie, token }, isChange) => ({
    ...(cookie === undefined ? {} : { cookie }),
    ...(token === undefined || !isChange ? {} : { "x-csrf-token": token }),
  }),
};
