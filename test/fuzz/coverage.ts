import { operations, type OperationId } from "@ironlease/contract";

const ids = Object.keys(operations) as readonly OperationId[];

const isSuccess = (key: string) => key.startsWith("2");
/** Where most are turned away at the door, nothing behind it is tried. */
const leastSuccesses = 0.25;

/** What each operation has been answered with, so that a run that only knocks at doors is seen. */
export class Coverage {
  readonly #counts = new Map<OperationId, Map<string, number>>();
  readonly #mutations = new Set<string>();
  #answers = 0;
  #successes = 0;
  /** Answers to requests that lead to no operation. */
  elsewhere = 0;
  /** Requests that nobody can say what they were for, or that got no answer. */
  unanswered = 0;

  count(operation: OperationId | undefined, status: number, code: string | undefined): void {
    this.#answers += 1;
    if (operation === undefined) {
      this.elsewhere += 1;
      return;
    }
    if (status < 300) this.#successes += 1;
    const key = `${status}${code === undefined ? "" : ` ${code}`}`;
    const counts = this.#counts.get(operation) ?? new Map<string, number>();
    this.#counts.set(operation, counts);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }

  noteMutations(names: readonly string[]): void {
    for (const name of names) this.#mutations.add(name);
  }

  summary(): string {
    const share = Math.round((100 * this.#successes) / Math.max(1, this.#answers));
    return [
      `${this.#answers} answers, ${share} % of them 2xx, ${this.elsewhere} to what leads nowhere`,
      `${this.unanswered} requests that broke off got no answer but the end of the connection`,
      `${this.#mutations.size} ways to change a request were used`,
    ].join("; ");
  }

  /**
   * Why the run means less than it should. Each operation must have done what it is for, and have been
   * refused for so many different reasons, unless it was asked less than so often.
   */
  shortcomings(leastRefusals: number, often = 0): readonly string[] {
    const without = ids.filter((id) => this.#keysOf(id).every((key) => !isSuccess(key)));
    const few = ids.filter((id) => {
      const refusals = this.#keysOf(id).filter((key) => !isSuccess(key));
      return this.#timesOf(id) >= often && refusals.length < leastRefusals;
    });
    return [
      ...without.map((id) => `${id} was never 2xx`),
      ...few.map((id) => `${id} was refused for fewer than ${leastRefusals} reasons`),
      ...(this.#successes < this.#answers * leastSuccesses ? ["too few requests succeed"] : []),
    ];
  }

  /** One line for each operation: its answers, the most frequent first. */
  table(): readonly string[] {
    const width = Math.max(...ids.map((id) => id.length));
    return ids.map((id) => {
      const counts = Array.from(this.#counts.get(id) ?? []).toSorted(([, a], [, b]) => b - a);
      const cells = counts.map(([key, count]) => `${key} ×${count}`);
      return `${id.padEnd(width)}  ${cells.join(", ")}`;
    });
  }

  #timesOf(id: OperationId): number {
    return [...(this.#counts.get(id)?.values() ?? [])].reduce((sum, count) => sum + count, 0);
  }

  #keysOf(id: OperationId): readonly string[] {
    return [...(this.#counts.get(id)?.keys() ?? [])];
  }
}
