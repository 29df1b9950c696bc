import type { Tx } from "#server/ports/db.ts";
import type { Result } from "#server/ports/result.ts";
import { PayoutNetwork } from "#test/payout-network.ts";
import { hasLapsed, recordState, type Verdict } from "./model/model-payouts.ts";
import type { Request } from "./model/operations.ts";
import {
  confirmationsRequired,
  type Model,
  type ModelPayout,
  type ModelWithdrawal,
} from "./model/state.ts";
import { field } from "./outcomes.ts";
import type { HandedOut } from "./subject.ts";

/** The states of all payouts, oldest first. */
export interface ObservedPayouts {
  readonly payouts: readonly ModelPayout["state"][];
}

/** Reads the payouts, which a pass changes and so does preparing one: old ones lapse. */
export async function observePayouts(
  tx: Tx,
  { kind }: Request,
): Promise<ObservedPayouts | undefined> {
  if (kind !== "follow" && kind !== "prepare") return undefined;
  const rows = await tx.selectFrom("payouts").select("state").orderBy("id").execute();
  return { payouts: rows.map(({ state }) => state) };
}

/** Compares the payouts with the model and with the chain, which keeps what it got when the service crashes. */
export class PayoutChecker {
  readonly network = new PayoutNetwork();
  /** In the order of the model's payouts. */
  readonly handedOut: HandedOut[] = [];

  add(result: Result<unknown>): void {
    this.handedOut.push(field(result, "body") as HandedOut);
  }

  /** Returns the problem, if any. */
  checkStates(model: Model, { payouts: states }: ObservedPayouts): string | undefined {
    for (const [index, payout] of model.payouts.entries()) {
      const state = states[index] ?? payout.state;
      const problem = recordState(model, payout, state, this.#verdictOn(index));
      if (problem !== undefined) return `payout ${index}: ${problem}`;
    }
    return undefined;
  }

  /** After the last pass nothing is left to do, and the chain has paid each withdrawal as often as it should. */
  checkEnd(model: Model, now: number): string | undefined {
    for (const [index, payout] of model.payouts.entries()) {
      if (hasLapsed(payout, now)) return `payout ${index} was never cancelled`;
      const verdict = this.#verdictOn(index);
      if (payout.state === "BROADCAST" && verdict !== undefined) {
        return `payout ${index} is BROADCAST, and the chain says ${verdict}`;
      }
    }
    for (const { withdrawals } of model.accounts) {
      for (const withdrawal of withdrawals) {
        const expected = this.#owed(model, withdrawal).join();
        const paid = this.#paidTo(withdrawal).join();
        if (paid !== expected) {
          return `the chain paid [${paid}] to ${withdrawal.destination} instead of [${expected}]`;
        }
      }
    }
    return undefined;
  }

  #verdictOn(index: number): Verdict {
    const fate = this.network.fateOf(this.handedOut[index]?.unsigned ?? "");
    if (fate.kind === "PENDING" || fate.confirmations < confirmationsRequired) return undefined;
    return fate.kind === "MINED" ? "CONFIRMED" : "FAILED";
  }

  /** A payout that was approved pays once, unless other transactions have spent its coins. */
  #owed(model: Model, { payout, cents }: ModelWithdrawal): readonly bigint[] {
    const index = payout === undefined ? -1 : model.payouts.indexOf(payout);
    const isApproved = payout?.state === "BROADCAST" || payout?.state === "CONFIRMED";
    const unsigned = this.handedOut[index]?.unsigned;
    if (!isApproved || unsigned === undefined) return [];
    if (this.network.fateOf(unsigned).kind === "FAILED") return [];
    return [(BigInt(cents) * 10n ** 18n) / centsPerCoin];
  }

  /** What payouts have paid. Operators who pay by hand do so from other wallets. */
  #paidTo({ destination }: ModelWithdrawal): readonly bigint[] {
    return this.network.transactions
      .filter(({ pins }) => pins.length > 0)
      .flatMap(({ outputs }) => outputs)
      .filter((output) => output.destination === destination)
      .map(({ amountUnits }) => amountUnits);
  }
}

/** The simulated rate of ETH. */
const centsPerCoin = 318_050n;
