import type { Api } from "./api.ts";
import { UsageError } from "./errors.ts";
import type { WireAnswer } from "./wire.ts";

/**
 * One sign-in: its cookies and its token, which are good together only. A call keeps the sign-in that
 * it started with to its end, so that a resend can never end up in somebody else's account.
 */
export interface SignIn {
  username?: string;
  token?: string;
  /** The Cookie header; undefined in a browser, which keeps cookies itself. */
  readonly cookie?: string;
}

/** A session as text, to be kept between two runs of a program. As secret as a password. */
export interface SavedSession {
  readonly origin: string;
  readonly username: string;
  readonly csrfToken: string;
  readonly sessionCookie: string;
  readonly csrfCookie: string;
}

export interface SessionAccess {
  /** Undefined when nobody is signed in. Not in a browser, where the browser has the cookies. */
  export(): SavedSession | undefined;
  /** Takes up a session that was exported from a client of the same service. */
  import(saved: SavedSession): void;
}

/** Who is signed in. */
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

  /** False when the answer does not carry both cookies: half a sign-in is none. */
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

  /** A browser that starts a sign-in may get new cookies whose answer is lost: the old token is void. */
  signingIn(): void {
    if (!this.#hasJar) this.current = {};
  }

  signedOut(signIn: SignIn): void {
    if (this.current === signIn) this.current = {};
  }

  /** What `me` says of the sign-in that it was asked with. */
  learn(signIn: SignIn, body: unknown): void {
    const { username, csrfToken: token } = body as { username: string; csrfToken: string };
    // In a browser, another tab may have signed somebody else in: that is another sign-in.
    if (signIn.username !== undefined && signIn.username !== username) {
      this.current = { username, token };
    } else {
      signIn.username = username;
      signIn.token = token;
    }
  }

  export(): SavedSession | undefined {
    if (!this.#hasJar) throw new UsageError("In a browser the browser keeps the session.");
    const { username, token, cookie } = this.current;
    if (username === undefined || token === undefined || cookie === undefined) return undefined;
    const [sessionCookie = "", csrfCookie = ""] = cookie
      .split("; ")
      .map((pair) => pair.slice(pair.indexOf("=") + 1));
    return { origin: this.#origin, username, csrfToken: token, sessionCookie, csrfCookie };
  }

  import(saved: SavedSession): void {
    if (!this.#hasJar) throw new UsageError("In a browser the browser keeps the session.");
    if (saved.origin !== this.#origin) {
      throw new UsageError(`That session is for ${saved.origin}, not for ${this.#origin}.`);
    }
    const { username, csrfToken, sessionCookie, csrfCookie } = saved;
    if (![csrfToken, sessionCookie, csrfCookie].every((value) => /^[\w.~+/=-]+$/.test(value))) {
      throw new UsageError("That is not a session that was exported.");
    }
    this.#take(username, csrfToken, sessionCookie, csrfCookie);
  }

  #take(username: string, token: string, session: string, csrf: string): void {
    const cookie = `${this.#cookies.session}=${session}; ${this.#cookies.csrf}=${csrf}`;
    this.current = { username, token, cookie };
  }
}
