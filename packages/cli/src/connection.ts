import {
  createKeyClient,
  createSessionClient,
  type KeyClient,
  type SavedSession,
  type SessionClient,
} from "@ironlease/client";
import { createNodeFetch } from "@ironlease/client/node";
import type { Io } from "./io.ts";
import { debugging } from "./output/debug.ts";
import { spinning } from "./output/spinner.ts";
import { readCa, type Target } from "./profiles/choose.ts";
import { proxyFor } from "./proxy.ts";
import { version } from "./version.ts";

/** Clients of one service. Opening it sends nothing. */
export interface Connection {
  readonly client: SessionClient;
  /** A read-only client with an API key. */
  readonly keyClient: (apiKey: string) => KeyClient;
  close(): void;
}

export function openConnection({ profile }: Target, io: Io, isDebug: boolean): Connection {
  const { url, caFile, fingerprint256, session } = profile;
  const proxy = proxyFor(url, io.env);
  const fetch = createNodeFetch({ ca: readCa(caFile), fingerprint256, proxy });
  const watched = isDebug ? debugging(fetch, io.stderr) : fetch;
  const options = {
    baseUrl: url,
    fetch:
      io.env["TERM"] === "dumb" || isDebug
        ? watched
        : spinning(watched, io.stderr, new URL(url).host),
    userAgent: `ironlease/${version} (${process.platform})`,
  };
  const client = createSessionClient(options);
  if (session !== undefined) client.session.import(session);
  return {
    client,
    keyClient: (apiKey) => createKeyClient({ ...options, apiKey }),
    close: () => fetch.close(),
  };
}

export function isSameSession(
  one: SavedSession | undefined,
  other: SavedSession | undefined,
): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
