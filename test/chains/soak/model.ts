import { testRate } from "../instance.ts";
import type { ChainOutput } from "./chain-view.ts";
import type { RecordedState } from "./recorded-state.ts";

/** Coins have eight decimals, dollars two. */
const unitsPerCent = 1_000_000n / BigInt(testRate);

/**
 * What the service must have recorded. A payment is credited when a pass sees it with enough confirmations, and the
 * credit stays for ever. A pass that did not end may have credited what it could see.
 */
export class SoakModel {
  readonly #needed: number;
  readonly #finalDepth: number;
  /** The cents of each credited payment, by key. */
  readonly #credited = new Map<string, number>();
  readonly #possible = new Map<string, ChainOutput>();
  readonly #losses = new Map<string, number>();
  readonly #lost = new Set<string>();

  constructor(needed: number, finalDepth: number) {
    this.#needed = needed;
    this.#finalDepth = finalDepth;
  }

  get credited(): number {
    return this.#credited.size;
  }

  get losses(): number {
    return [...this.#losses.values()].reduce((sum, count) => sum + count, 0);
  }

  /** A pass that failed, crashed or ran beside another one. */
  noteUnfinishedPass(outputs: readonly ChainOutput[]): void {
    for (const output of this.#deep(outputs)) this.#possible.set(output.key, output);
    this.#noteLosses(outputs);
  }

  /** A pass without faults. Returns where the database differs from what it must be. */
  check(outputs: readonly ChainOutput[], recorded: RecordedState): readonly string[] {
    const problems: string[] = [];
    const rows = new Map(recorded.deposits.map((row) => [row.key, row]));
    for (const output of this.#deep(outputs)) this.#credit(output);
    for (const [key, output] of this.#possible) {
      if (rows.get(key)?.state === "CREDITED") this.#credit(output);
    }
    this.#possible.clear();
    this.#noteLosses(outputs);

    const current = new Map(outputs.map((output) => [output.key, output]));
    for (const key of new Set([...this.#credited.keys(), ...current.keys(), ...rows.keys()])) {
      const expected = this.#expected(key, current.get(key)?.confirmations);
      const row = rows.get(key);
      const actual = row && this.#describe(row.state, row.confirmations, row.isLost);
      if (expected !== actual) problems.push(`${key} is ${actual}, but must be ${expected}`);
    }
    for (const [key, cents] of recorded.credits) {
      const expected = this.#credited.get(key);
      if (cents !== expected)
        problems.push(`${key} credited ${cents}, but must credit ${expected}`);
    }
    for (const [key, cents] of this.#credited) {
      if (cents > 0 && !recorded.credits.has(key)) problems.push(`${key} has no ledger entry`);
      const audits = recorded.auditedCredits.get(key);
      if (audits !== 1) problems.push(`${key} has ${audits} audit entries of its credit`);
    }
    for (const { key, isLost } of recorded.deposits) {
      if (isLost && !recorded.auditedLosses.has(key)) problems.push(`${key} has no audited loss`);
    }
    for (const [key, count] of recorded.auditedLosses) {
      const most = this.#losses.get(key) ?? 0;
      if (count > most) problems.push(`${key} has ${count} audited losses, but lost ${most}`);
    }
    return problems;
  }

  #deep(outputs: readonly ChainOutput[]): readonly ChainOutput[] {
    return outputs.filter(({ confirmations }) => confirmations >= this.#needed);
  }

  #credit({ key, units }: ChainOutput): void {
    this.#credited.set(key, Number(units / unitsPerCent));
  }

  /** A loss lasts until the payment has its confirmations again. */
  #noteLosses(outputs: readonly ChainOutput[]): void {
    const deep = new Set(this.#deep(outputs).map(({ key }) => key));
    for (const key of [...this.#credited.keys(), ...this.#possible.keys()]) {
      if (deep.has(key)) this.#lost.delete(key);
      else if (!this.#lost.has(key)) {
        this.#lost.add(key);
        this.#losses.set(key, (this.#losses.get(key) ?? 0) + 1);
      }
    }
  }

  #expected(key: string, confirmations: number | undefined): string | undefined {
    if (this.#credited.has(key)) {
      const isLost = (confirmations ?? 0) < this.#needed;
      return this.#describe("CREDITED", confirmations ?? 0, isLost);
    }
    if (confirmations === undefined) return undefined;
    return this.#describe("CONFIRMING", confirmations, false);
  }

  /** The service no longer counts the confirmations of a final deposit. */
  #describe(state: string, confirmations: number, isLost: boolean): string {
    const counted = confirmations >= this.#finalDepth ? "final" : confirmations;
    return `${state} ${counted}${isLost ? " lost" : ""}`;
  }
}
