import {
  createKeyClient,
  createSessionClient,
  type KeyClient,
  type SavedSession,
  type SessionClient,
} from "@ironlease/client";
import { createNodeFetch } from "@ironlease/client/node";
import type { Io } from "./io.ts";
import { spinning } from "./output/spinner.ts";
import { readCa, type Target } from "./profiles/choose.ts";
import { version } from "./version.ts";

/** Clients of one service. Opening it sends nothing. */
export interface Connection {
  readonly client: SessionClient;
  /** A read-only client with an API key. */
  readonly keyClient: (apiKey: string) => KeyClient;
  close(): void;
}

export function openConnection({ profile }: Target, io: Io): Connection {
  const { url, caFile, fingerprint256, session } = profile;
  const fetch = createNodeFetch({ ca: readCa(caFile), fingerprint256 });
  const options = {
    baseUrl: url,
    fetch: io.env["TERM"] === "dumb" ? fetch : spinning(fetch, io.stderr, new URL(url).host),
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
