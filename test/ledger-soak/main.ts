import { engines, oneOf, readOptions, whole } from "#test/command-options.ts";
import { temporaryFolder } from "#test/daemon.ts";
import { startPostgres } from "#test/postgres-server.ts";
import { soak } from "./soak.ts";

const usage = `npm run ledger-soak -- [--entries 1000000] [--accounts 1000] [--seconds 20] [--engine sqlite|postgres]

Writes a ledger as the last version without hashes would have left it, starts the service on it, and lets customers
order while it chains the entries. Prints how long that takes and how long orders wait, then verifies everything.
Exits with 1 if an order fails or something does not verify.

  --entries N   ledger entries without a hash
  --accounts N  customers who share them; the first has a tenth
  --seconds N   how long customers order afterwards, for comparison
  --engine      only on this engine`;

const { values } = readOptions(usage, {
  entries: whole(1_000_000),
  accounts: whole(1_000),
  seconds: whole(20),
  engine: oneOf(engines),
});

async function run(engine: string, databaseUrl: string | undefined): Promise<void> {
  const place = { data: temporaryFolder(), databaseUrl };
  const problems = await soak(place, values, (line) => console.log(`${engine}: ${line}`));
  for (const problem of problems) console.log(`${engine}: PROBLEM: ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}

if (values.engine !== "postgres") await run("sqlite", undefined);
if (values.engine !== "sqlite") {
  const postgres = await startPostgres();
  try {
    await run("postgres", postgres.url);
  } finally {
    await postgres.stop();
  }
}
