import type { Access, Scope } from "@ironlease/contract";
import { authenticateApiKey } from "../features/api-keys/authenticate-api-key.ts";
import { authenticateSession } from "../features/sessions/authenticate-session.ts";
import type { Core } from "../kernel/core.ts";
import { csrfTokenOf } from "../kernel/secrets.ts";
import type { Refusal } from "../ports/result.ts";
import type { Exchange } from "./exchange.ts";

/** How a listener finds out who is asking. Fills in the exchange, or says why not. */
export interface Authentication {
  bySession(exchange: Exchange, sessionToken: string): Promise<Refusal | undefined>;
  byKey(exchange: Exchange, value: string, access: Access): Promise<Refusal | undefined>;
}

/** Customers: their sessions, and their API keys on the reads that the key's scope covers. */
export function accountAuthentication(core: Core): Authentication {
  return {
    bySession: async (exchange, sessionToken) => {
      const session = await authenticateSession(core, sessionToken);
      if (session === undefined) return { code: "authentication_required" };
      exchange.account = session;
      exchange.session = session;
      exchange.csrfToken = csrfTokenOf(sessionToken);
      return undefined;
    },
    byKey: async (exchange, value, access) => {
      const key = await authenticateApiKey(core, value);
      if (key === undefined) return { code: "authentication_required" };
      if (!scopesOf(access).includes(key.scope)) return { code: "insufficient_scope" };
      exchange.account = key;
      exchange.key = key;
      return undefined;
    },
  };
}

function scopesOf(access: Access): readonly Scope[] {
  return access.kind === "session" ? access.scopes : [];
}
