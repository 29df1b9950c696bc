import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** What other engines that speak PostgreSQL's language do not run, or run with other results. */
const unportable: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/\bpg_(?:try_)?advisory_\w*lock/i, "advisory locks hold on one node only"],
  [/\b(?:un)?listen [a-z_]+|\bnotify [a-z_]+|pg_notify/i, "notifications reach one node only"],
  [/\bcreate (?:global |local )?temp(?:orary)? /i, "temporary tables are state of a session"],
  [/\bnextval\(|\bcreate sequence\b|\bbigserial\b/i, "one sequence orders all shards"],
  [/\b(?:ctid|xmin|xmax)\b/, "system columns belong to PostgreSQL's storage"],
  [/\block table\b/i, "a lock on a table stops all shards"],
  [/\bdeclare \w+ cursor\b/i, "cursors are state of a session"],
  [/\bset (?:session|local) /i, "settings are state of a session"],
  [/\bcreate rule\b|\binherits \(/i, "rules and inheritance exist in PostgreSQL only"],
  [/\bexclude using\b|\bdeferrable\b/i, "constraints across shards are checked at once or never"],
  [/\blanguage plpgsql\b/i, "stored procedures and triggers"],
  [/\breferencing (?:old|new|\$\{)/i, "triggers with transition tables"],
];

/** Triggers that protect rows on a single PostgreSQL. `docs/scale.md` says what replaces them elsewhere. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  "migrations/0006-list-changes.ts": [
    "stored procedures and triggers",
    "triggers with transition tables",
  ],
  "migrations/0009-customer-visible-state.ts": ["stored procedures and triggers"],
  "migrations/0030-account-closure.ts": ["stored procedures and triggers"],
  "migrations/0041-kept-addresses.ts": ["stored procedures and triggers"],
  "migrations/append-only.ts": ["stored procedures and triggers"],
};

const source = fileURLToPath(new URL("../packages/server/src", import.meta.url));
const folders = "{kernel,features,http,speed,migrations,commands}/**/*.ts";
const files = globSync(folders, { cwd: source }).filter((path) => !path.endsWith(".test.ts"));

const found = files.flatMap((path) => {
  const text = readFileSync(join(source, path), "utf8");
  return unportable
    .filter(([pattern]) => pattern.test(withoutComments(text)))
    .map(([, why]) => ({ path, why }));
});
const isAllowed = ({ path, why }: (typeof found)[number]) => allowed[path]?.includes(why) === true;
const problems = found.filter((one) => !isAllowed(one)).map(({ path, why }) => `${path}: ${why}`);
for (const [path, reasons] of Object.entries(allowed)) {
  for (const why of reasons) {
    const isNeeded = found.some((one) => one.path === path && one.why === why);
    if (!isNeeded) problems.push(`${path}: remove "${why}" from the exceptions`);
  }
}

for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(`The SQL of ${files.length} files runs on engines that speak PostgreSQL.`);

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
}
