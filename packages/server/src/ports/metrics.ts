import type { DatabaseTrouble } from "./db.ts";
import type { MachineState, ServerState, WorkKind } from "./schema.ts";

/**
 * What the service tells those who watch it. Counts only: no account, no name and no identifier ever
 * becomes a label, since whoever may look at the figures may not look at customers.
 */
export interface Metrics {
  /** What one listener counts. Its operations are all known at the start, so a request makes none. */
  requests(listener: ListenerName, operations: readonly string[]): RequestTally;
  /** A background pass came to its end: when, whether all went well, and what it did, by name. */
  passEnded(
    pass: PassName,
    at: number,
    isGood: boolean,
    done?: Readonly<Record<string, number>>,
  ): void;
  /** Something went wrong in a pass, which may have gone on. */
  passFailed(pass: PassName): void;
  databaseTrouble(trouble: DatabaseTrouble): void;
  /** All metrics in the Prometheus text format. Figures are undefined when the database did not answer. */
  text(figures: Figures | undefined): string;
  readonly contentType: string;
}

export type ListenerName = "account" | "operator";

export type PassName = "settlement" | "renewals" | "sweep" | "certificate";

export interface RequestTally {
  began(): void;
  /** It is out of our hands, answered or not. */
  ended(): void;
  /** An answer left. The operation is undefined where the request led to none. */
  answered(operation: string | undefined, status: number, ms: number): void;
}

/** What only the database knows. Every kind and every state is there, with 0 where there is none. */
export interface Figures {
  readonly at: number;
  readonly work: readonly WorkFigure[];
  readonly servers: readonly StateCount<ServerState>[];
  readonly machines: readonly StateCount<MachineState>[];
  /** What all customers together may spend. */
  readonly availableCents: number;
  readonly heldCents: number;
}

export interface WorkFigure {
  readonly kind: WorkKind;
  /** Waiting for somebody, also because a lease has lapsed. */
  readonly open: number;
  readonly claimed: number;
  /** Of both; null when there is none. */
  readonly oldestAt: number | null;
}

export interface StateCount<State> {
  readonly state: State;
  readonly count: number;
}
