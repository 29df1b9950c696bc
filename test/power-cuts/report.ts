import type { Kill } from "./kills.ts";
import type { Cut } from "./sqlite-cuts.ts";
import type { SqliteRun } from "./sqlite-runs.ts";

const shownProblems = 6;

interface Checked {
  readonly problems: readonly string[];
}

export function problemsOf(checked: readonly Checked[]): number {
  return checked.reduce((sum, { problems }) => sum + problems.length, 0);
}

export function describeRun({ seed, followsCut, cuts, savedLog }: SqliteRun): string {
  const most = Math.max(...cuts.map(({ acknowledged }) => acknowledged));
  const start = followsCut ? "continues after a cut" : "starts on an empty disk";
  const lines = [`run ${seed}, ${start}, up to ${most} acknowledged: ${verdict(cuts)}`];
  for (const cut of cuts.filter(({ problems }) => problems.length > 0).slice(0, shownProblems)) {
    lines.push(
      `  ${cut.location}, record ${cut.position}, survived: ${cut.survivalMode ?? "drawn per file"}`,
    );
    lines.push(...shown(cut));
  }
  if (savedLog !== undefined) {
    const command = `npm run power-cuts -- sqlite --recording ${savedLog}`;
    lines.push(`  to repeat: ${command} --seed ${seed} --cuts ${cuts.length}`);
  }
  return lines.join("\n");
}

/** Summarizes the cuts by location and by survival mode. */
export function describeCuts(cuts: readonly Cut[]): string {
  const counts = (name: (cut: Cut) => string) =>
    Object.entries(Object.groupBy(cuts, name))
      .map(([kind, those = []]) => `${those.length} ${kind}`)
      .join(", ");
  const checked = cuts.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
  return [
    `${cuts.length} cuts, ${verdict(cuts)}; ${checked} acknowledgements checked`,
    `  location: ${counts(({ location }) => location)}`,
    `  unsynced changes that survived: ${counts(({ survivalMode }) => survivalMode ?? "drawn per file")}`,
  ].join("\n");
}

export function describeKill(kill: Kill): string {
  const { number, acknowledged, unanswered } = kill;
  const answers = `${acknowledged} acknowledged, ${unanswered} without a definite answer`;
  const head = `kill ${number}: ${answers}, ${verdict([kill])}`;
  return [head, ...shown(kill)].join("\n");
}

function verdict(checked: readonly Checked[]): string {
  const failed = checked.filter(({ problems }) => problems.length > 0).length;
  return failed === 0 ? "no problems" : `${failed} of ${checked.length} FAILED`;
}

function shown({ problems }: Checked): readonly string[] {
  return problems.slice(0, shownProblems).map((problem) => `    ${problem}`);
}
