import type { Brand } from "./brand.ts";
import type { RateLimitName } from "@ironlease/contract";
import type { Clock } from "#ports/clock.ts";
import type { WorkKind } from "#ports/schema.ts";
import type { Db } from "#ports/db.ts";
import type { Dns } from "#ports/dns.ts";
import type { Mailer } from "#ports/mail.ts";
import type { Pacer } from "#ports/pacer.ts";
import type { PasswordHash } from "#ports/password-hash.ts";
import type { Random } from "#ports/random.ts";
import type { Sealing } from "#ports/sealing.ts";
import type { Rates, Settlement } from "#ports/settlement.ts";
import type { StatementSigning } from "#ports/statement-signing.ts";
import type { Webauthn } from "#ports/webauthn.ts";
import type { WebhookPost } from "#ports/webhook-post.ts";
import type { CatalogueCache } from "./catalogue.ts";
import type { Signal } from "./concurrency/signal.ts";
import type { Hardware } from "./hardware.ts";
import type { Ids } from "./ids.ts";
import type { LastUse } from "./access/last-use.ts";

/** The ports and the configurable rules that every use case receives. */
export interface Core {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly passwords: PasswordHash;
  readonly sealing: Sealing;
  readonly statementSigning: StatementSigning;
  /** Undefined when no provider is connected. Deposits are then refused. */
  readonly settlement: Settlement | undefined;
  readonly rates: Rates | undefined;
  /** Undefined when no DNS server is connected. Reverse DNS is then only stored. */
  readonly reverseDns?: ReverseDns | undefined;
  readonly webauthn: Webauthn;
  readonly postWebhook: WebhookPost;
  /** Undefined when no mail server is configured. The service then takes no e-mail addresses. */
  readonly mail: MailRoute | undefined;
  /** Undefined when no network of controllers is configured. Runs are then refused. */
  readonly hardware?: Hardware | undefined;
  readonly lastUse: LastUse;
  readonly catalogueCache: CatalogueCache;
  /** Undefined where batches need not leave room for requests. */
  readonly pacer?: Pacer;
  readonly rules: Rules;
}

export interface ReverseDns {
  readonly dns: Dns;
  /** Notified after a change in this process, so that it is published at once. */
  readonly changes: Signal;
}

/** How mails leave, and what they say about the service. */
export interface MailRoute {
  readonly mailer: Mailer;
  readonly brand: Brand;
  /** The address of the console, without a path. */
  readonly url: string;
}

export interface Rules {
  readonly sessionIdleMs: number;
  readonly sessionTotalMs: number;
  /** Undefined when switched off for a load test. */
  readonly rateLimits: Readonly<Record<RateLimitName, RateLimit>> | undefined;
  /** How long an unpaid server is kept after `paidThrough`. */
  readonly graceMs: number;
  /** How long an operator's claim lasts before others may claim the item. */
  readonly leaseMs: number;
  /** Withdrawals of this amount or more need two operators. */
  readonly twoOperatorsFromCents: number;
  /** How long an item of each kind should take. */
  readonly workTargetsMs: Readonly<Record<WorkKind, number>>;
  /** The maximum number of open actions per server and per account. */
  readonly openActions: { readonly perServer: number; readonly perAccount: number };
  /** How long a rate that an operator sets may be valid. Independent of the source that rates are read from. */
  readonly operatorRateMs: number;
  /** How long the log of deliveries shows an event. Longer than it is retried. */
  readonly keepDeliveriesMs: number;
  /** How long proofs of liabilities are kept. Their signed roots stay for ever. */
  readonly keepProofsMs: number;
  /** How long the audit log keeps addresses. Undefined: until the account is closed. */
  readonly keepAddressesMs: number | undefined;
  /** Networks that webhooks may reach although they are not public. */
  readonly webhookNetworks: readonly string[];
  /** Whether `finance` and `admin` must set up a second factor first. */
  readonly needsSecondFactor: boolean;
}

export const defaultGraceMs = 72 * 3_600_000;
export const defaultLeaseMs = 30 * 60_000;
export const defaultOperatorRateMs = 24 * 3_600_000;
export const defaultKeepDeliveriesMs = 30 * 24 * 3_600_000;
export const defaultKeepProofsMs = 400 * 24 * 3_600_000;

export interface RateLimit {
  readonly count: number;
  readonly windowSeconds: number;
}

/** The other end of the connection. */
export interface Client {
  readonly ipAddress: string;
  readonly userAgent: string;
}
