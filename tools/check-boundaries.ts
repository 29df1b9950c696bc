import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cruise, type ICruiseOptions, type IViolation } from "dependency-cruiser";
import extractDepcruiseOptions from "dependency-cruiser/config-utl/extract-depcruise-options";
import { checkPorts } from "./check-ports.ts";
import { edges, zones } from "./zones.ts";

const repository = fileURLToPath(new URL("..", import.meta.url));
const codeFolders = ["packages", "test", "tools", "bench"];
const zonePaths = [...zones, ...edges].map((zone) => new RegExp(zone.path));

/** Returns one sentence for each violation of the boundaries under a root folder. */
export async function checkBoundaries(
  root: string,
  overrides: ICruiseOptions = {},
): Promise<string[]> {
  const configuration = join(repository, ".dependency-cruiser.mjs");
  const folders = codeFolders.filter((folder) => existsSync(join(root, folder)));
  const { output } = await cruise(folders, {
    ...(await extractDepcruiseOptions(configuration)),
    ...overrides,
    baseDir: root,
  });
  if (typeof output === "string") throw new Error("dependency-cruiser returned text, not data.");

  const cruised = new Set(output.modules.map((module) => module.source));
  const onDisk = listSources(root);
  return [
    ...output.summary.violations.map(describeViolation),
    ...onDisk.filter(belongsToNoZone).map((path) => `${path} belongs to no zone of tools/zones.ts`),
    // If dependency-cruiser cannot parse TypeScript, it reports no violation, so check that it read each file.
    ...onDisk.filter((path) => !cruised.has(path)).map((path) => `${path} was not cruised`),
    ...checkPorts(root),
  ];
}

function listSources(root: string): string[] {
  const patterns = codeFolders.map((folder) => `${folder}/**/*.{ts,tsx}`);
  const exclude = ["**/node_modules/**", "**/dist/**"];
  return globSync(patterns, { cwd: root, exclude }).toSorted();
}

function belongsToNoZone(path: string): boolean {
  return !zonePaths.some((zonePath) => zonePath.test(path));
}

function describeViolation(violation: IViolation): string {
  const cycle = violation.cycle?.map((step) => step.name) ?? [violation.to];
  return `${[violation.from, ...cycle].join(" → ")} (${violation.rule.name})`;
}

if (import.meta.main) {
  const problems = await checkBoundaries(repository);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else console.log(`No boundary violations in ${listSources(repository).length} files.`);
}
