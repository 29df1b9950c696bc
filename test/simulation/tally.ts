/** Counts operations, faults and answers, to show that runs exercise them. */
export class Tally {
  readonly #counts = new Map<string, Map<string, number>>();

  add(group: string, name: string): void {
    const counts = this.#counts.get(group) ?? new Map<string, number>();
    counts.set(name, (counts.get(name) ?? 0) + 1);
    this.#counts.set(group, counts);
  }

  of(group: string): number {
    return [...(this.#counts.get(group)?.values() ?? [])].reduce((sum, count) => sum + count, 0);
  }

  /** One line per group, most frequent names first. */
  lines(): readonly string[] {
    return [...this.#counts].map(([group, counts]) => {
      const each = [...counts]
        .toSorted(([, a], [, b]) => b - a)
        .map(([name, count]) => `${name} ${count}`);
      return `${group} ${this.of(group)}: ${each.join(", ")}`;
    });
  }
}
