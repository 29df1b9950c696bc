import { cookieNames, type CookieNames } from "@ironlease/contract";

export const { account: accountCookies, operator: operatorCookies } = cookieNames;
export type { CookieNames };

export interface PresentedCookies {
  readonly session: string | undefined;
  readonly csrf: string | undefined;
  /** One of the two names occurs more than once, so it is ambiguous which value counts. */
  readonly isDuplicated: boolean;
}

/** Reads our two cookies from a Cookie header. */
export function readCookies(header: string | undefined, names: CookieNames): PresentedCookies {
  let session: string | undefined;
  let csrf: string | undefined;
  let isDuplicated = false;
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
        isDuplicated ||= session !== undefined;
        session = value;
      } else {
        isDuplicated ||= csrf !== undefined;
        csrf = value;
      }
    }
  }
  return { session, csrf, isDuplicated };
}

const attributes = "Path=/; Secure; HttpOnly; SameSite=Strict";

/** The session cookie and the CSRF cookie of one sign-in. */
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
