import type { Kill } from "./kills.ts";
import type { Cut } from "./sqlite-cuts.ts";
import type { SqliteRun } from "./sqlite-runs.ts";

const shownProblems = 6;

interface Examined {
  readonly problems: readonly string[];
}

export function problemsOf(examined: readonly Examined[]): number {
  return examined.reduce((sum, { problems }) => sum + problems.length, 0);
}

export function describeRun({ seed, followsCut, cuts, kept }: SqliteRun): string {
  const most = Math.max(...cuts.map(({ acknowledged }) => acknowledged));
  const begins = followsCut ? "on what a cut left" : "on an empty disk";
  const lines = [`run ${seed}, ${begins}, up to ${most} acknowledged: ${verdict(cuts)}`];
  for (const cut of cuts.filter(({ problems }) => problems.length > 0).slice(0, shownProblems)) {
    lines.push(`  ${cut.where}, record ${cut.position}, ${cut.fate ?? "each file by itself"}`);
    lines.push(...shown(cut));
  }
  if (kept !== undefined) {
    const again = `npm run power-cuts -- sqlite --recording ${kept}`;
    lines.push(`  again: ${again} --seed ${seed} --cuts ${cuts.length}`);
  }
  return lines.join("\n");
}

/** How many cuts there were of each kind, and what became of them. */
export function describeCuts(cuts: readonly Cut[]): string {
  const counts = (name: (cut: Cut) => string) =>
    Object.entries(Object.groupBy(cuts, name))
      .map(([kind, those = []]) => `${those.length} ${kind}`)
      .join(", ");
  const checked = cuts.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
  return [
    `${cuts.length} cuts, ${verdict(cuts)}; ${checked} acknowledgements looked for`,
    `  where: ${counts(({ where }) => where)}`,
    `  what the disk had taken: ${counts(({ fate }) => fate ?? "by file")}`,
  ].join("\n");
}

export function describeKill(kill: Kill): string {
  const { number, acknowledged, unanswered } = kill;
  const told = `${acknowledged} acknowledged, ${unanswered} times 503`;
  const head = `kill ${number}: ${told}, ${verdict([kill])}`;
  return [head, ...shown(kill)].join("\n");
}

function verdict(examined: readonly Examined[]): string {
  const bad = examined.filter(({ problems }) => problems.length > 0).length;
  return bad === 0 ? "nothing lost" : `${bad} of ${examined.length} LOST SOMETHING`;
}

function shown({ problems }: Examined): readonly string[] {
  return problems.slice(0, shownProblems).map((problem) => `    ${problem}`);
}
