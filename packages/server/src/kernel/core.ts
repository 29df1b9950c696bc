import type { RateLimitName } from "@ironlease/contract";
import type { Clock } from "#ports/clock.ts";
import type { Db } from "#ports/db.ts";
import type { PasswordHash } from "#ports/password-hash.ts";
import type { Random } from "#ports/random.ts";
import type { Sealing } from "#ports/sealing.ts";
import type { Rates, Settlement } from "#ports/settlement.ts";
import type { Ids } from "./ids.ts";
import type { LastUse } from "./access/last-use.ts";

/** What every use case is handed: the outside through ports, and the rules that are configurable. */
export interface Core {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly passwords: PasswordHash;
  readonly sealing: Sealing;
  /** Undefined when no provider is connected: deposits are refused then. */
  readonly settlement: Settlement | undefined;
  readonly rates: Rates | undefined;
  readonly lastUse: LastUse;
  readonly rules: Rules;
}

export interface Rules {
  readonly sessionIdleMs: number;
  readonly sessionTotalMs: number;
  /** Undefined when they are switched off for a load test. */
  readonly rateLimits: Readonly<Record<RateLimitName, RateLimit>> | undefined;
  /** How long a server that is not paid for is kept after `paidThrough`. */
  readonly graceMs: number;
  /** How long a claim of work lasts before somebody else may take it over. */
  readonly leaseMs: number;
  /** From which sum on a withdrawal needs two operators. */
  readonly twoOperatorsFromCents: number;
  /** How many actions may be open at once, for one server and for one account. */
  readonly openActions: { readonly perServer: number; readonly perAccount: number };
  /** Whether `finance` and `admin` must set up a second factor before anything else. */
  readonly needsSecondFactor: boolean;
}

export const defaultGraceMs = 72 * 3_600_000;
export const defaultLeaseMs = 30 * 60_000;

export interface RateLimit {
  readonly count: number;
  readonly windowSeconds: number;
}

/** Who is at the other end of the connection. */
export interface Client {
  readonly ipAddress: string;
  readonly userAgent: string;
}
