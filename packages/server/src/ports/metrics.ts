import type { DatabaseTrouble } from "./db.ts";
import type { MachineState, ServerState, WorkKind } from "./schema.ts";

/**
 * The service's metrics. Labels never contain an account, a name or an id, because readers of metrics need not be
 * allowed to see customers.
 */
export interface Metrics {
  /** Counters of one listener, created at start for all its operations. */
  requests(listener: ListenerName, operations: readonly string[]): RequestTally;
  /** Records that a run of a background job ended, whether it had no failures, and counts of what it did. */
  passEnded(
    pass: PassName,
    at: number,
    isGood: boolean,
    done?: Readonly<Record<string, number>>,
  ): void;
  /** Records a failure in a background job. The job may have continued. */
  passFailed(pass: PassName): void;
  /** Records a pass over one chain. Passes of other instances count there. */
  chainWatched(network: string, pass: ChainPass): void;
  /** Records the certificate that new connections get. Undefined while an authority has issued none. */
  certificateUsed(listener: ListenerName, certificate: CertificatePeriod | undefined): void;
  databaseTrouble(trouble: DatabaseTrouble): void;
  /** All metrics in the Prometheus text format. Figures are undefined when the database did not answer. */
  text(figures: ScrapedFigures | undefined): string;
  readonly contentType: string;
}

export type ListenerName = "account" | "operator";

export type PassName =
  | "settlement"
  | "payouts"
  | "reverse_dns"
  | "hardware"
  | "renewals"
  | "ledger_chain"
  | "liabilities"
  | "customer_funds"
  | "webhooks"
  | "mail"
  | "sweep"
  | "certificate";

export interface CertificatePeriod {
  readonly startsAt: number;
  readonly expiresAt: number;
}

export interface RequestTally {
  began(): void;
  /** The request is over, answered or not. */
  ended(): void;
  /** An answer was sent. The operation is undefined for pages, probes and unknown paths. */
  answered(operation: string | undefined, status: number, ms: number): void;
}

export interface ChainPass {
  /** The node's height. Undefined when the node could not be asked, or another instance watches the chain. */
  readonly height: number | undefined;
  readonly credited: number;
  readonly failures: number;
}

/** Everything that a scrape reads from the database. */
export interface ScrapedFigures extends Figures {
  /** False on a standby. */
  readonly acceptsWrites: boolean;
  readonly chains: readonly ChainFigure[];
  /** Undefined when no DNS server is connected. */
  readonly reverseDns: ReverseDnsFigure | undefined;
  /** When liabilities were last signed. Undefined before the first time. */
  readonly liabilitiesAt: number | undefined;
}

/** FREE machines can be ordered. KEPT_OUT ones would be FREE if an operator had not kept them out of sale. */
export type MachineUse = MachineState | "KEPT_OUT";

export interface OfferFigure {
  readonly configId: string;
  readonly regionId: string;
  readonly machines: Readonly<Record<MachineUse, number>>;
}

export interface ReverseDnsFigure {
  readonly pending: number;
  readonly failed: number;
  /** How long the oldest of both has waited; 0 when there is none. */
  readonly oldestAgeMs: number;
}

export interface ChainFigure {
  readonly network: string;
  /** Null before the first scan. */
  readonly scannedHeight: number | null;
  /** When a scan last reached the tip. */
  readonly scannedAt: number | null;
  /** One of each asset. */
  readonly unconfirmed: readonly UnconfirmedFigure[];
}

/** Payments that were seen and are not credited. */
export interface UnconfirmedFigure {
  readonly asset: string;
  readonly deposits: number;
  readonly coins: number;
}

/** Numbers from the database. Every kind and state is present, with 0 if there is none. */
export interface Figures extends CustomerFunds {
  readonly at: number;
  readonly work: readonly WorkFigure[];
  readonly servers: readonly StateCount<ServerState>[];
  /** Without those that operators keep out of sale. */
  readonly machines: readonly StateCount<MachineState>[];
  /** By configuration and region. */
  readonly offers: readonly OfferFigure[];
}

/** The balances of all customers together, at a time that may be a minute ago. */
export interface CustomerFunds {
  readonly availableCents: number;
  readonly heldCents: number;
  readonly fundsAt: number;
}

export interface WorkFigure {
  readonly kind: WorkKind;
  /** Unclaimed, or with an expired lease. */
  readonly open: number;
  readonly claimed: number;
  /** The oldest of both; null when there is none. */
  readonly oldestAt: number | null;
  /** How long an item should take. */
  readonly targetMs: number;
  /** How many of both have taken longer than that. */
  readonly overdue: number;
}

export interface StateCount<State> {
  readonly state: State;
  readonly count: number;
}
