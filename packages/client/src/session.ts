import type { Api } from "./api.ts";
import { UsageError } from "./errors.ts";
import type { WireAnswer } from "./wire.ts";

/**
 * One sign-in: cookies and the matching CSRF token. A call keeps the sign-in that it started with, so a
 * retry never reaches another account.
 */
export interface SignIn {
  username?: string;
  token?: string;
  /** The Cookie header; undefined in a browser, which manages cookies itself. */
  readonly cookie?: string;
}

/** A session to store between two runs of a program. Treat it like a password. */
export interface SavedSession {
  readonly origin: string;
  readonly username: string;
  readonly csrfToken: string;
  readonly sessionCookie: string;
  readonly csrfCookie: string;
}

export interface SessionAccess {
  /** Undefined when not signed in. Throws in a browser, which keeps the cookies itself. */
  export(): SavedSession | undefined;
  /** Resumes a session that was exported from a client of the same service. */
  import(saved: SavedSession): void;
}

/** Keeps the current sign-in. */
export class SessionKeeper {
  readonly #cookies: Api["cookies"];
  readonly #origin: string;
  /** False in a browser. */
  readonly #hasJar: boolean;
  current: SignIn = {};

  constructor(api: Api, origin: string, hasJar: boolean) {
    this.#cookies = api.cookies;
    this.#origin = origin;
    this.#hasJar = hasJar;
  }

  get hasJar(): boolean {
    return this.#hasJar;
  }

  /** False if the response does not set both cookies. */
  signedIn(answer: WireAnswer, body: unknown): boolean {
    const { username, csrfToken } = body as { username: string; csrfToken: string };
    if (!this.#hasJar) {
      this.current = { username, token: csrfToken };
      return true;
    }
    const given = new Map(
      (answer.headers.getSetCookie?.() ?? []).map((line) => {
        const pair = line.split(";", 1)[0] ?? "";
        const equals = pair.indexOf("=");
        return [pair.slice(0, equals), pair.slice(equals + 1)] as const;
      }),
    );
    const session = given.get(this.#cookies.session) ?? "";
    const csrf = given.get(this.#cookies.csrf) ?? "";
    if (session === "" || csrf === "") return false;
    this.#take(username, csrfToken, session, csrf);
    return true;
  }

  /** In a browser, a sign-in may set new cookies even if its response is lost, so the old token is discarded. */
  signingIn(): void {
    if (!this.#hasJar) this.current = {};
  }

  signedOut(signIn: SignIn): void {
    if (this.current === signIn) this.current = {};
  }

  /** Updates the sign-in from the response of `me`. */
  learn(signIn: SignIn, body: unknown): void {
    const { username, csrfToken: token } = body as { username: string; csrfToken: string };
    // In a browser, another user may have signed in from another tab.
    if (signIn.username !== undefined && signIn.username !== username) {
      this.current = { username, token };
    } else {
      signIn.username = username;
      signIn.token = token;
    }
  }

  export(): SavedSession | undefined {
    if (!this.#hasJar)
      throw new UsageError("Sessions cannot be exported or imported in a browser.");
    const { username, token, cookie } = this.current;
    if (username === undefined || token === undefined || cookie === undefined) return undefined;
    const [sessionCookie = "", csrfCookie = ""] = cookie
      .split("; ")
      .map((pair) => pair.slice(pair.indexOf("=") + 1));
    return { origin: this.#origin, username, csrfToken: token, sessionCookie, csrfCookie };
  }

  import(saved: SavedSession): void {
    if (!this.#hasJar)
      throw new UsageError("Sessions cannot be exported or imported in a browser.");
    if (saved.origin !== this.#origin) {
      throw new UsageError(`The session is for ${saved.origin}, not for ${this.#origin}.`);
    }
    const { username, csrfToken, sessionCookie, csrfCookie } = saved;
    if (![csrfToken, sessionCookie, csrfCookie].every((value) => /^[\w.~+/=-]+$/.test(value))) {
      throw new UsageError("This is not an exported session.");
    }
    this.#take(username, csrfToken, sessionCookie, csrfCookie);
  }

  #take(username: string, token: string, session: string, csrf: string): void {
    const cookie = `${this.#cookies.session}=${session}; ${this.#cookies.csrf}=${csrf}`;
    this.current = { username, token, cookie };
  }
}
