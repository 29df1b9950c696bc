import { isChange, scopes, type Operation } from "@ironlease/contract";
import { issueSession } from "#server/kernel/access/account-sessions.ts";
import type { Core } from "#server/kernel/core.ts";
import { ok } from "#server/kernel/result.ts";
import { register, testClient } from "./core.ts";
import type { RequestOptions } from "./https-client.ts";
import type { TestService } from "./service.ts";
import { valueOf } from "./use-cases.ts";

/** One kind of caller in the access matrix. */
export interface Caller<World> {
  readonly name: string;
  readonly options: (world: World) => RequestOptions | Promise<RequestOptions>;
  /** The error code that the operation must answer with; undefined if it must grant access. */
  readonly expected: (operation: Operation) => string | undefined;
}

/** The cookies and the CSRF token of one sign-in. */
export interface Credentials {
  readonly cookie: string;
  readonly csrfToken: string;
}

export const isPublic = (operation: Operation) => operation.access.kind === "public";

export const needsSession = (operation: Operation) =>
  isPublic(operation) ? undefined : "authentication_required";

export const bearer = (value: string | undefined): RequestOptions => ({
  headers: { authorization: `Bearer ${value}` },
});

export const signedIn = (
  { cookie, csrfToken }: Credentials,
  headers: RequestOptions["headers"] = {},
): RequestOptions => ({ headers: { cookie, "x-csrf-token": csrfToken, ...headers } });

const unlessPublic = (code: string) => (operation: Operation) =>
  isPublic(operation) ? undefined : code;

const onChanges = (code: string) => (operation: Operation) =>
  isPublic(operation) || !isChange(operation) ? undefined : code;

/**
 * The valid session with one fault each, on either listener. `fresh` signs in for each call, because an
 * accepted call may end the session. `other` is a session of another user.
 */
export function faultySessions<World>(
  fresh: (world: World) => Promise<Credentials>,
  other: (world: World) => Credentials,
): readonly Caller<World>[] {
  return [
    { name: "no credentials", options: () => ({}), expected: needsSession },
    {
      name: "a session without the CSRF header",
      options: async (world) => ({ headers: { cookie: (await fresh(world)).cookie } }),
      expected: onChanges("csrf_failed"),
    },
    {
      name: "a session with the CSRF header of another sign-in",
      options: async (world) =>
        signedIn(await fresh(world), { "x-csrf-token": other(world).csrfToken }),
      expected: onChanges("csrf_failed"),
    },
    {
      name: "a session with the CSRF header twice",
      options: async (world) => {
        const session = await fresh(world);
        return signedIn(session, { "x-csrf-token": [session.csrfToken, session.csrfToken] });
      },
      expected: onChanges("csrf_failed"),
    },
    {
      name: "a session with the CSRF cookie of another sign-in",
      options: async (world) => {
        const session = await fresh(world);
        const cookie = [cookiesIn(session)[0], cookiesIn(other(world))[1]].join("; ");
        return signedIn({ ...session, cookie });
      },
      expected: unlessPublic("session_invalid"),
    },
    {
      name: "a session without its CSRF cookie",
      options: async (world) => {
        const session = await fresh(world);
        return signedIn({ ...session, cookie: cookiesIn(session)[0] ?? "" });
      },
      expected: unlessPublic("session_invalid"),
    },
    {
      name: "a CSRF cookie without its session",
      options: async (world) => {
        const session = await fresh(world);
        return signedIn({ ...session, cookie: cookiesIn(session)[1] ?? "" });
      },
      expected: needsSession,
    },
    ...["0", "1"].map((which): Caller<World> => ({
      name: `a session with its ${which === "0" ? "session" : "CSRF"} cookie twice`,
      options: async (world) => {
        const session = await fresh(world);
        const cookie = `${session.cookie}; ${cookiesIn(session)[Number(which)]}`;
        return signedIn({ ...session, cookie });
      },
      expected: unlessPublic("session_invalid"),
    })),
    ...["https://evil.example", "null"].map((origin): Caller<World> => ({
      name: `a session from the Origin ${origin}`,
      options: async (world) => signedIn(await fresh(world), { origin }),
      expected: () => "origin_rejected",
    })),
    {
      name: "a session from a cross-site page that hides its Origin",
      options: async (world) => signedIn(await fresh(world), { "sec-fetch-site": "cross-site" }),
      expected: (operation) => (isChange(operation) ? "origin_rejected" : undefined),
    },
  ];
}

function cookiesIn({ cookie }: Credentials): readonly string[] {
  return cookie.split("; ");
}

/** The same secrets under the cookie names of the other listener. */
export function renamed(credentials: Credentials, side: "account" | "operator"): Credentials {
  const name = side === "operator" ? "__Host-svc-operator-$1" : "__Host-svc-$1";
  const cookie = credentials.cookie.replaceAll(/__Host-svc-(?:operator-)?(session|csrf)/g, name);
  return { ...credentials, cookie };
}

/** A customer whose sessions are issued without hashing a password. */
export async function newCustomer(core: Core) {
  const { accountId } = await register(core);
  const signIn = async (): Promise<Credentials> => {
    const { sessionToken, csrfToken } = await valueOf(
      core.db.write(async (tx) =>
        ok(await issueSession({ tx, core, call: { accountId, client: testClient } })),
      ),
    );
    const cookie = `__Host-svc-session=${sessionToken}; __Host-svc-csrf=${csrfToken}`;
    return { cookie, csrfToken };
  };
  return { accountId, signIn };
}

/** One API key of each scope and a revoked one. */
export async function keysOf(
  { send }: TestService,
  owner: Credentials,
): Promise<Readonly<Record<string, string>>> {
  const keys: Record<string, string> = {};
  for (const name of [...scopes, "revoked"]) {
    const body = { name, scope: name === "revoked" ? "read" : name };
    const { json } = await send("POST", "/api/v1/api-keys", { ...signedIn(owner), body });
    keys[name] = json.key;
    if (name === "revoked") await send("DELETE", `/api/v1/api-keys/${json.id}`, signedIn(owner));
  }
  return keys;
}
