import { usdFromCents } from "@ironlease/contract";
import { auditAll, auditEntry, type AuditEntry } from "#kernel/audit.ts";
import type { Step } from "#kernel/call.ts";
import { endServer } from "#kernel/end-server.ts";
import { isoTime, minuteText } from "#kernel/iso-time.ts";
import { HeldBalances } from "#kernel/ledger.ts";
import { accountRow, recordEvents, type AccountRow } from "#kernel/outbox/record-event.ts";
import { renewServers, type RentChange } from "#kernel/server-states.ts";
import type { DueServer } from "./due-server.ts";
import {
  afterStep,
  renewal,
  withoutPayment,
  type EnteredGrace,
  type Renewed,
  type RenewalStep,
  type Terminated,
} from "./renewal-step.ts";

interface Ending {
  readonly server: DueServer;
  readonly step: Terminated;
}

/**
 * The steps of one batch on servers whose rows the transaction holds. They are decided in memory, one after the other,
 * and then written together, with one statement for each table.
 */
export class BatchSteps {
  readonly taken: RenewalStep[] = [];
  readonly #transaction: Step;
  readonly #balances: HeldBalances;
  readonly #now: number;
  readonly #changes = new Map<string, RentChange>();
  readonly #events: AccountRow[] = [];
  readonly #audit: AuditEntry[] = [];
  readonly #endings: Ending[] = [];

  private constructor(transaction: Step, balances: HeldBalances, now: number) {
    this.#transaction = transaction;
    this.#balances = balances;
    this.#now = now;
  }

  static async begin(
    transaction: Step,
    servers: readonly DueServer[],
    now: number,
  ): Promise<BatchSteps> {
    const accountIds = servers.map(({ accountId }) => accountId);
    return new BatchSteps(transaction, await HeldBalances.lock(transaction, accountIds), now);
  }

  /** Takes a server's next step. It always tries to charge first. Undefined when there is nothing to do yet. */
  take(server: DueServer): RenewalStep | undefined {
    const renewed = renewal(server, this.#now, this.#transaction.core.rules.graceMs);
    const isPaid = server.autoRenew === 1 && this.#charge(server, renewed);
    const step = isPaid ? renewed : withoutPayment(server, this.#now);
    if (step === undefined) return undefined;
    this.taken.push(step);
    if (step.kind === "terminate") this.#endings.push({ server, step });
    else {
      const { before } = this.#changes.get(server.id) ?? { before: server };
      this.#changes.set(server.id, { before, after: afterStep(server, step) ?? server });
      this.#tell(server, step);
      this.#record(step);
    }
    return step;
  }

  /** Writes all steps but terminations. */
  async write(): Promise<void> {
    const { tx } = this.#transaction;
    await this.#balances.write();
    const saved = await renewServers(tx, [...this.#changes.values()]);
    if (saved.length !== this.#changes.size) {
      throw new Error("a server changed while the renewal pass held its row");
    }
    await recordEvents(this.#transaction, this.#events);
    await auditAll(tx, this.#audit.splice(0));
  }

  /** Ends the servers whose grace is over. They are few, and each one changes other rows. */
  async terminate(onServer: (serverId: string) => void): Promise<void> {
    for (const { server, step } of this.#endings) {
      onServer(server.id);
      const reason = `It was not paid for by ${isoTime(server.graceUntil)}.`;
      await endServer(this.#transaction, server, reason);
      this.#record(step);
    }
    await auditAll(this.#transaction.tx, this.#audit.splice(0));
  }

  /** The cause names the period, so the database refuses a second charge for it. */
  #charge({ id, accountId, hostname }: DueServer, { cents, dueAt, paidThrough }: Renewed): boolean {
    if (cents === 0) return true;
    return this.#balances.move({
      type: "RENEWAL_CHARGE",
      accountId,
      cents,
      cause: `renewal/${id}/${dueAt}`,
      description: `Renewal of ${hostname ?? id} until ${minuteText(paidThrough)}`,
      reference: { kind: "server", id },
    });
  }

  /** A server that leaves grace is both renewed and active again. */
  #tell({ id: serverId, accountId, hostname }: DueServer, step: Renewed | EnteredGrace): void {
    const add = (type: "server.grace" | "server.renewed" | "server.active", data: object) =>
      this.#events.push(
        accountRow(this.#transaction, {
          accountId,
          type,
          data: { serverId, hostname, ...data },
        }),
      );
    if (step.kind === "enter_grace") {
      add("server.grace", { graceUntil: isoTime(step.graceUntil) });
      return;
    }
    const paid = { paidThrough: isoTime(step.paidThrough) };
    add("server.renewed", { ...paid, usd: usdFromCents(step.cents) });
    if (step.heals) add("server.active", paid);
  }

  #record(step: RenewalStep): void {
    const detail = { accountId: step.accountId, ...detailOf(step) };
    const action = `server.${step.kind}`;
    this.#audit.push(auditEntry(this.#transaction, action, step.serverId, detail));
  }
}

function detailOf(step: RenewalStep): Readonly<Record<string, string | number>> {
  const dueAt = isoTime(step.dueAt);
  switch (step.kind) {
    case "renew":
      return { dueAt, cents: step.cents, paidThrough: isoTime(step.paidThrough) };
    case "enter_grace":
      return { dueAt, graceUntil: isoTime(step.graceUntil) };
    case "terminate":
      return { dueAt, machineId: step.machineId };
  }
}
