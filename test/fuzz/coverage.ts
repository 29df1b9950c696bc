import { operations, type OperationId } from "@ironlease/contract";

const ids = Object.keys(operations) as readonly OperationId[];

const isSuccess = (key: string) => key.startsWith("2");
/** If admission refused most requests, the run would not test the use cases. */
const minSuccessShare = 0.25;

/**
 * The fuzzed service has simulated chains, which prepare no payouts, no machine controllers and no DNS server.
 * `test/chains`, `test/hardware` and `test/reverse-dns` cover them.
 */
const needsOutside: ReadonlySet<string> = new Set([
  "runWork",
  "runReverseDns",
  "readPayout",
  "preparePayout",
  "acceptSignedPayout",
  "broadcastPayout",
  "bumpPayout",
  "cancelPayout",
]);

/** The code leaves the service only in a mail. `features/contact` covers it. */
const needsMail: ReadonlySet<string> = new Set(["confirmContact"]);

/** Counts the answers of each operation, to detect runs that test too little. */
export class Coverage {
  readonly #counts = new Map<OperationId, Map<string, number>>();
  readonly #mutations = new Set<string>();
  #answers = 0;
  #successes = 0;
  /** Answers to requests that match no operation. */
  unmatched = 0;
  /** Malformed requests for which the service closed the connection without an answer. */
  unanswered = 0;

  count(operation: OperationId | undefined, status: number, code: string | undefined): void {
    this.#answers += 1;
    if (operation === undefined) {
      this.unmatched += 1;
      return;
    }
    if (status < 300) this.#successes += 1;
    const key = `${status}${code === undefined ? "" : ` ${code}`}`;
    const counts = this.#counts.get(operation) ?? new Map<string, number>();
    this.#counts.set(operation, counts);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }

  addMutations(names: readonly string[]): void {
    for (const name of names) this.#mutations.add(name);
  }

  summary(): string {
    const share = Math.round((100 * this.#successes) / Math.max(1, this.#answers));
    return [
      `${this.#answers} answers, ${share} % of them 2xx, ${this.unmatched} to requests that match no operation`,
      `${this.unanswered} malformed requests without an answer`,
      `${this.#mutations.size} different mutations used`,
    ].join("; ");
  }

  /**
   * Lists what the run did not test. Each operation must have succeeded, and each operation called at least
   * `minCalls` times must have refused for at least `minReasons` different reasons.
   */
  gaps(minReasons: number, minCalls = 0): readonly string[] {
    const neverSucceeded = ids.filter(
      (id) =>
        !needsOutside.has(id) &&
        !needsMail.has(id) &&
        this.#keysOf(id).every((key) => !isSuccess(key)),
    );
    const rarelyRefused = ids.filter((id) => {
      const refusals = this.#keysOf(id).filter((key) => !isSuccess(key));
      return this.#callsOf(id) >= minCalls && refusals.length < minReasons;
    });
    return [
      ...neverSucceeded.map((id) => `${id} never answered 2xx`),
      ...rarelyRefused.map((id) => `${id} refused for fewer than ${minReasons} reasons`),
      ...(this.#successes < this.#answers * minSuccessShare ? ["too few answers are 2xx"] : []),
    ];
  }

  /** One line per operation with its answers, most frequent first. */
  table(): readonly string[] {
    const width = Math.max(...ids.map((id) => id.length));
    return ids.map((id) => {
      const counts = Array.from(this.#counts.get(id) ?? []).toSorted(([, a], [, b]) => b - a);
      const cells = counts.map(([key, count]) => `${key} ×${count}`);
      return `${id.padEnd(width)}  ${cells.join(", ")}`;
    });
  }

  #callsOf(id: OperationId): number {
    return [...(this.#counts.get(id)?.values() ?? [])].reduce((sum, count) => sum + count, 0);
  }

  #keysOf(id: OperationId): readonly string[] {
    return [...(this.#counts.get(id)?.keys() ?? [])];
  }
}
