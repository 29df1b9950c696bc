import { cookieNames, type CookieNames } from "@ironlease/contract";

export const { account: accountCookies, operator: operatorCookies } = cookieNames;
export type { CookieNames };

export interface PresentedCookies {
  readonly session: string | undefined;
  readonly csrf: string | undefined;
  /** One of the two names came more than once: which one counts would be a guess. */
  readonly doubled: boolean;
}

/** Reads our two cookies, and nothing else, out of a Cookie header. */
export function readCookies(header: string | undefined, names: CookieNames): PresentedCookies {
  let session: string | undefined;
  let csrf: string | undefined;
  let doubled = false;
  if (header !== undefined) {
    for (let start = 0, end = 0; start <= header.length; start = end + 1) {
      end = header.indexOf(";", start);
      if (end === -1) end = header.length;
      const pair = header.slice(start, end);
      const equals = pair.indexOf("=");
      const name = pair.slice(0, equals === -1 ? pair.length : equals).trim();
      if (name !== names.session && name !== names.csrf) continue;
      const value = equals === -1 ? "" : pair.slice(equals + 1).trim();
      if (name === names.session) {
        doubled ||= session !== undefined;
        session = value;
      } else {
        doubled ||= csrf !== undefined;
        csrf = value;
      }
    }
  }
  return { session, csrf, doubled };
}

const attributes = "Path=/; Secure; HttpOnly; SameSite=Strict";

/** Both cookies of one sign-in, always together. */
export function setCookies(
  names: CookieNames,
  issued: {
    readonly sessionToken: string;
    readonly csrfToken: string;
    readonly maxAgeSeconds: number;
  },
): readonly string[] {
  return [
    `${names.session}=${issued.sessionToken}; Max-Age=${issued.maxAgeSeconds}; ${attributes}`,
    `${names.csrf}=${issued.csrfToken}; Max-Age=${issued.maxAgeSeconds}; ${attributes}`,
  ];
}

export function clearCookies(names: CookieNames): readonly string[] {
  return [
    `${names.session}=; Max-Age=0; ${attributes}`,
    `${names.csrf}=; Max-Age=0; ${attributes}`,
  ];
}
