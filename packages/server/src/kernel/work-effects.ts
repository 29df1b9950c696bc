import type { Asset } from "#ports/settlement.ts";
import type { Approval } from "./approvals.ts";
import type { Tick } from "./checklists.ts";
import type { Core } from "./core.ts";
import type { WorkItem } from "./work-queue/items.ts";
import type { OperatorCall, Step } from "./call.ts";
import type { AuditDetail } from "./audit.ts";
import type { FailedMachineState } from "./inventory.ts";
import type { Refusal, Result } from "#ports/result.ts";
import type { DdosMode, WorkKind } from "#ports/schema.ts";

/** The part of an item that never changes, so it may be read before anything is locked. */
export interface Item {
  readonly id: string;
  readonly kind: WorkKind;
  readonly accountId: string;
  readonly serverId: string | null;
  /** The server's machine, which never changes. */
  readonly machineId: string | null;
  /** The withdrawal if there is one, otherwise the server. */
  readonly subjectId: string;
  /** The amount of a withdrawal, and where it goes. */
  readonly cents: number | null;
  readonly asset: Asset | null;
  readonly destination: string | null;
  readonly ddosRequestId: string | null;
  /** The mode that the customer requested. */
  readonly ddosMode: DdosMode | null;
  /** The action that the customer requested. Null also for a power change that an operator requested. */
  readonly action: string | null;
}

/** One step of an operator on one item, inside the transaction of that step. */
export interface Job extends Step<OperatorCall> {
  readonly item: Item;
}

/** A job whose server and item are locked. The operator holds the item's lease. */
export interface HeldJob extends Job {
  readonly approvals: readonly Approval[];
  readonly detail: WorkItem["detail"];
  readonly ticks: readonly Tick[];
  /** What the outside said before the transaction. */
  readonly proof?: Proof | undefined;
}

/** Whether a chain confirms what an operator reports. It was asked for this amount, which may have changed since. */
export type Proof = { readonly network: string; readonly amount: string | null } & (
  | { readonly kind: "PROVED"; readonly transactionId: string }
  | { readonly kind: "REFUTED"; readonly reason: string }
  | { readonly kind: "UNKNOWN"; readonly reason: string }
);

/** What an operator reports with a completed item, checked against its kind. */
export interface Completion {
  readonly hostname: string | undefined;
  readonly transactionId: string | undefined;
  readonly quoteCents: number | undefined;
  readonly note: string | undefined;
  /** The operator vouches for a payment that no node could confirm. */
  readonly isUnverified: boolean;
}

/** What an operator reports with a failed item. */
export interface Failure {
  readonly reason: string;
  /** Only for PROVISION. DIRTY when left out. */
  readonly machineState?: FailedMachineState | undefined;
}

/** A change to something other than the item, audited under that subject. */
export interface SideEffect {
  readonly action: string;
  readonly subject: string;
  readonly detail: AuditDetail;
}

/** The result if the item ends. */
export interface Effect {
  /** One word for the result, such as `PAID`. */
  readonly outcome: string;
  /** What the customer asked for and what became of it. Left out when no customer asked for it. */
  readonly report?: string;
  readonly sideEffect?: SideEffect;
}

/** The result if the item reopens and waits for another operator's approval. */
export interface Approved {
  readonly approvals: readonly Approval[];
  readonly sideEffect: SideEffect;
}

/**
 * The result if the item stays claimed because the customer must do something first. The operator is refused, but
 * the message to the customer is committed.
 */
export interface Postponed {
  readonly refusal: Refusal;
  readonly report: string;
}

/** What completing and failing one kind of work does, beyond ending the item. */
export interface WorkEffect {
  /** Prepares the work of an item that was just claimed. What it returns is audited with the claim. */
  readonly claim?: (job: Job) => Promise<AuditDetail>;
  /** Adds to the item's detail when it is claimed. Called before the transaction. */
  readonly price?: (core: Core, item: Item) => Promise<WorkItem["detail"] | undefined>;
  /** Asks the outside about the completion. Called before the transaction and refuses nothing itself. */
  readonly prove?: (
    core: Core,
    item: Item & Pick<HeldJob, "detail">,
    completion: Completion,
  ) => Promise<Proof | undefined>;
  /** Checks fields that depend on the item. Runs before the lease is checked. */
  readonly check?: (job: Job, completion: Completion) => Promise<Result<void>>;
  readonly complete: (
    job: HeldJob,
    completion: Completion,
  ) => Promise<Result<Effect | Approved | Postponed>>;
  readonly fail: (job: HeldJob, failure: Failure) => Promise<Result<Effect>>;
}

/** Each kind's effects belong to the feature of its noun. The HTTP layer builds this table. */
export type WorkEffects = Readonly<Record<WorkKind, WorkEffect>>;
