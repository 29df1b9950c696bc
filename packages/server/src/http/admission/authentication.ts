import { isChange, type Access, type Operation, type Scope } from "@ironlease/contract";
import { authenticateApiKey } from "#features/api-keys/authenticate-api-key.ts";
import {
  authenticateOperator,
  type OperatorSession,
} from "#features/operators/authenticate-operator.ts";
import { recheckOperator } from "#features/operators/recheck-operator.ts";
import {
  authenticateSession,
  type AccountSession,
} from "#features/sessions/authenticate-session.ts";
import { recheckSession } from "#features/sessions/recheck-session.ts";
import type { Core } from "#kernel/core.ts";
import { hasRole } from "#kernel/access/operator.ts";
import { allowsAddress } from "#kernel/access/allowed-networks.ts";
import { secretsOf } from "#kernel/access/secrets.ts";
import type { Tx } from "#ports/db.ts";
import type { Refusal } from "#ports/result.ts";
import { addressIn, type ClientAddress } from "#http/wire/client-address.ts";
import type { Exchange } from "#http/wire/exchange.ts";

/** How a listener identifies callers. The methods set the caller in the exchange or return a refusal. */
export interface Authentication {
  /** The refusal of a request without credentials. */
  readonly unauthenticated: Refusal;
  bySession(exchange: Exchange, sessionToken: string): Promise<Refusal | undefined>;
  /** Undefined on a listener without API keys, which ignores the Authorization header. */
  readonly byKey:
    | ((exchange: Exchange, value: string, access: Access) => Promise<Refusal | undefined>)
    | undefined;
  /** Whether the signed-in caller may call the operation. */
  permit(exchange: Exchange): Refusal | undefined;
  /**
   * Checks session and permission again inside a write, because access may have ended while the body was
   * arriving. Locks the owner's row, so that a recovery, freeze or disable commits before or after the write.
   */
  recheck(exchange: Exchange, tx: Tx): Promise<Refusal | undefined>;
}

/** Customers sign in with sessions. Their API keys work on the reads that the key's scope covers. */
export function accountAuthentication(core: Core, clientAddress: ClientAddress): Authentication {
  return {
    unauthenticated: { code: "authentication_required" },
    bySession: async (exchange, sessionToken) => {
      const session = await authenticateSession(core, sessionToken);
      if (session === undefined) return { code: "authentication_required" };
      exchange.account = session;
      exchange.session = session;
      exchange.csrfToken = secretsOf(sessionToken).csrfToken;
      return undefined;
    },
    byKey: async (exchange, value, access) => {
      const address = () => addressIn(exchange.raw, clientAddress);
      const key = await authenticateApiKey(core, value, address);
      if (key === undefined) return { code: "authentication_required" };
      if (!scopesOf(access).includes(key.scope)) return { code: "insufficient_scope" };
      exchange.account = key;
      exchange.key = key;
      return undefined;
    },
    permit: ({ session, route: { operation } }) => permitAccount(session, operation),
    recheck: async ({ session, route: { operation } }, tx) => {
      const current = session && (await recheckSession(core, tx, session));
      if (current === undefined) return { code: "authentication_required" };
      return permitAccount(current, operation);
    },
  };
}

function permitAccount(
  session: Pick<AccountSession, "frozenAt"> | undefined,
  operation: Operation,
): Refusal | undefined {
  const isFrozen = session !== undefined && session.frozenAt !== null;
  return isFrozen && isChange(operation) && operation.frozen !== "allowed"
    ? { code: "account_frozen" }
    : undefined;
}

function scopesOf(access: Access): readonly Scope[] {
  return access.kind === "session" ? access.scopes : [];
}

/** Operators sign in with their own sessions only. */
export function operatorAuthentication(core: Core, clientAddress: ClientAddress): Authentication {
  /** Elsewhere than in the operator's networks, a session counts for nothing. */
  const isHere = ({ allowedNetworks }: OperatorSession, { raw }: Exchange) =>
    allowedNetworks === null || allowsAddress(allowedNetworks, addressIn(raw, clientAddress));
  return {
    unauthenticated: signInFirst,
    bySession: async (exchange, sessionToken) => {
      const operator = await authenticateOperator(core, sessionToken);
      if (operator === undefined || !isHere(operator, exchange)) return signInFirst;
      exchange.operator = operator;
      exchange.csrfToken = secretsOf(sessionToken).csrfToken;
      return undefined;
    },
    byKey: undefined,
    permit: ({ operator, route: { operation } }) => permitOperator(operator, operation),
    recheck: async (exchange, tx) => {
      const { operator, route } = exchange;
      const { operation } = route;
      const current = operator && (await recheckOperator(core, tx, operator));
      if (current === undefined || operator === undefined) return signInFirst;
      if (!isHere(current, exchange)) return signInFirst;
      // The handler acts on the role found at authentication, so a demotion since then refuses the write,
      // even if the new role would allow the operation.
      if (!hasRole(current, operator.role)) return { code: "role_forbidden" };
      return permitOperator(current, operation);
    },
  };
}

function permitOperator(
  operator: OperatorSession | undefined,
  operation: Operation,
): Refusal | undefined {
  if (operator === undefined || operation.access.kind !== "operator") return undefined;
  if (operator.secondFactor === "required" && operation.secondFactor !== "not_needed") {
    return { code: "second_factor_required" };
  }
  return hasRole(operator, operation.access.role) ? undefined : { code: "role_forbidden" };
}

const signInFirst: Refusal = {
  code: "authentication_required",
  message: "Sign in as an operator.",
};
