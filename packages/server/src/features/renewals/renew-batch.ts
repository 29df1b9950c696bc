import { systemCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import type { Tx } from "#ports/db.ts";
import { ok } from "#kernel/result.ts";
import { applyStep } from "./apply-step.ts";
import { DueQueue, isBefore, type DuePosition, type DueServer } from "./due-server.ts";
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
}

export interface RenewedBatch {
  readonly steps: readonly RenewalStep[];
  /** Every account that was not skipped is renewed up to here. */
  readonly doneUpTo: DuePosition;
  readonly skipped: number;
}

/** The server whose renewal failed. Undefined when the failure was elsewhere. */
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
  const work = async (tx: Tx): Promise<RenewedBatch> => {
    atServer = undefined;
    const held = await lockAccounts(tx, batch.accountIds, batch.waitsForLocks);
    const skipped = batch.accountIds.length - held.length;
    if (held.length === 0) return { steps: [], doneUpTo: batch.last, skipped };
    const due = await lockDue(tx, held, batch.now, batch.last);
    const last = due.length < batchLength ? batch.last : (due.at(-1) ?? batch.last);

    const queue = new DueQueue(due.filter(({ id }) => !batch.broken.has(id)));
    const steps: RenewalStep[] = [];
    let doneUpTo: DuePosition = last;
    for (let server = queue.take(); server !== undefined; server = queue.take()) {
      atServer = server.id;
      const step = await applyStep({ tx, core, call: systemCall }, server, batch.now);
      if (step !== undefined) steps.push(step);
      const later = step?.kind === "renew" ? afterStep(server, step) : undefined;
      // A server that is due again within this batch comes before those that are due later.
      if (later !== undefined && !isBefore(last, later)) queue.put(later);
      if (steps.length >= batchLength && queue.next() !== undefined) {
        doneUpTo = positionOf(server);
        break;
      }
    }
    return { steps, doneUpTo, skipped };
  };
  try {
    const result = await core.db.write(async (tx) => ok(await work(tx)));
    if (!result.ok) throw new Error("a renewal batch was refused");
    return result.value;
  } catch (error) {
    throw new RenewalFailed(atServer, error);
  }
}

function positionOf({ paidThrough, id }: DueServer): DuePosition {
  return { paidThrough, id };
}
