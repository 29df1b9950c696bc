import { systemCall, type Step } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { ok } from "#kernel/result.ts";
import { BatchSteps } from "./batch-steps.ts";
import { DueQueue, isBefore, type DuePosition } from "./due-server.ts";
import { batchLength, lockAccounts, lockDue } from "./find-due.ts";
import { afterStep, type RenewalStep } from "./renewal-step.ts";

/** Accounts with due servers, and the position up to which to renew them. */
export interface Batch {
  readonly now: number;
  readonly accountIds: readonly string[];
  readonly last: DuePosition;
  /** Whether to wait for accounts that another transaction holds, or to skip them. */
  readonly waitsForLocks: boolean;
  /** Servers whose renewal failed. They do not block the others. */
  readonly broken: ReadonlySet<string>;
  /** The maximum number of servers and of steps, at most `batchLength`. */
  readonly length: number;
}

export interface RenewedBatch {
  readonly steps: readonly RenewalStep[];
  /** Every account that was not skipped is renewed up to here. */
  readonly doneUpTo: DuePosition;
  readonly skipped: number;
}

/** The server whose renewal failed. Undefined when it may have been any server of the batch. */
export class RenewalFailed extends Error {
  override readonly name = "RenewalFailed";
  readonly serverId: string | undefined;

  constructor(serverId: string | undefined, cause: unknown) {
    super(serverId === undefined ? "servers could not be renewed" : `${serverId} was not renewed`, {
      cause,
    });
    this.serverId = serverId;
  }
}

/** Renews the accounts' due servers in one transaction, earliest first, up to a batch. */
export async function renewBatch(core: Core, batch: Batch): Promise<RenewedBatch> {
  let atServer: string | undefined;
  const atNext = (serverId: string | undefined) => {
    atServer = serverId;
  };
  try {
    const result = await core.db.write(async (tx) => {
      atServer = undefined;
      return ok(await renew({ tx, core, call: systemCall }, batch, atNext));
    });
    if (!result.ok) throw new Error("a renewal batch was refused");
    return result.value;
  } catch (error) {
    throw new RenewalFailed(atServer, error);
  }
}

async function renew(
  transaction: Step,
  { now, accountIds, last: end, waitsForLocks, broken, length }: Batch,
  atNext: (serverId: string | undefined) => void,
): Promise<RenewedBatch> {
  const { tx } = transaction;
  const held = await lockAccounts(tx, accountIds, waitsForLocks);
  const skipped = accountIds.length - held.length;
  if (held.length === 0) return { steps: [], doneUpTo: end, skipped };
  const locked = await lockDue(tx, held, now, end);
  const due = locked.filter(({ id }) => !broken.has(id)).slice(0, length);
  const isAll = locked.length < batchLength && due.length < length;
  const last = isAll ? end : positionOf(due.at(-1) ?? locked.at(-1) ?? end);

  const queue = new DueQueue(due);
  const steps = await BatchSteps.begin(transaction, due, now);
  let doneUpTo = last;
  for (let server = queue.take(); server !== undefined; server = queue.take()) {
    atNext(server.id);
    const step = steps.take(server);
    const later = step?.kind === "renew" ? afterStep(server, step) : undefined;
    // A server that is due again within this batch comes before those that are due later.
    if (later !== undefined && !isBefore(last, later)) queue.put(later);
    if (steps.taken.length >= length && queue.next() !== undefined) {
      doneUpTo = positionOf(server);
      break;
    }
  }
  atNext(due.length === 1 ? due[0]?.id : undefined);
  await steps.write();
  await steps.terminate(atNext);
  return { steps: steps.taken, doneUpTo, skipped };
}

function positionOf({ paidThrough, id }: DuePosition): DuePosition {
  return { paidThrough, id };
}
