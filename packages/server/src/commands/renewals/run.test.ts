import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { temporaryFolder } from "#test/daemon.ts";
import { createEmptyDatabase, forEachEngine } from "#test/engines.ts";
import { openAt } from "#test/open-at.ts";
import { assertInvariantsHold } from "#test/rental.ts";
import { dayMs, RentedServers, stateOf } from "#test/renewals.ts";
import type { Engine } from "#ports/db.ts";
import { ironleased } from "#test/ironleased.ts";

const help = "    ironleased renewals run --help";
const timeFormat = "a date and time with Z or an offset, such as 2026-12-15T09:30:00Z.";

async function run(args: readonly string[], env: Readonly<Record<string, string>>) {
  const { code, lines } = await ironleased(["renewals", "run", ...args], env);
  return { code, lines };
}

function settingsFor(engine: Engine, location: string): Record<string, string> {
  return engine === "postgres"
    ? { IRONLEASE_DATABASE_URL: location, IRONLEASE_DATA: temporaryFolder() }
    : { IRONLEASE_DATA: dirname(location) };
}

describe("renewals run", () => {
  for (const [args, message] of [
    [["--at"], /--at/],
    [["--at", "tomorrow"], `error: --at must be ${timeFormat}`],
    [["--at", "2026-12-15"], `error: --at must be ${timeFormat}`],
    [["--at", "2026-12-15T09:30:00"], `error: --at must be ${timeFormat}`],
    [["--at", "2026-12-15T09:30:00Z[Europe/Berlin]"], `error: --at must be ${timeFormat}`],
    [["--at", "2027-02-30T09:30:00Z"], /^error: --at is not a valid time: 2027-02-30T09:30:00Z/],
    [["--at", "2027-02-20T25:30:00Z"], /^error: --at is not a valid time/],
    [["--dry"], /--dry/],
    [["now"], /now/],
  ] as const) {
    test(`${args.join(" ")} is a usage error and opens no database`, async () => {
      const data = join(temporaryFolder(), "none");
      const { code, lines } = await run(args, { IRONLEASE_DATA: data });
      assert.equal(code, 2);
      assert.match(lines[0] ?? "", message instanceof RegExp ? message : exactly(message));
      assert.equal(lines.at(-1), help);
      assert.ok(!existsSync(data));
    });
  }

  test("a missing database is an error and is not created", async () => {
    const data = join(temporaryFolder(), "none");
    const { code, lines } = await run([], { IRONLEASE_DATA: data });
    assert.equal(code, 1);
    assert.deepEqual(lines, [`No database in ${data}. Set IRONLEASE_DATA to the data folder.`]);
    assert.ok(!existsSync(data));
  });
});

forEachEngine((engine) => {
  const rented = RentedServers.forEachTest(engine);
  const settings = () => settingsFor(engine, rented.opened.location);

  test("an outdated database is refused with exit code 1", async () => {
    const { location, remove } = await createEmptyDatabase(engine);
    await (await openAt(engine, location)).close();
    const { code, lines } = await run([], settingsFor(engine, location));
    assert.equal(code, 1);
    assert.match(
      lines[0] ?? "",
      /^The database is out of date \(.*\)\. Run ironleased migrate first\.$/,
    );
    await remove();
  });

  test("a dry run prints the same steps and total as the run that follows", async () => {
    const { core } = rented;
    const rich = await rented.serverOfNewCustomer(100_000, { term: "weekly" });
    const poor = await rented.server(await rented.customer(1_500), { term: "weekly" });
    const off = await rented.serverOfNewCustomer(100_000, { autoRenew: false });
    const at = new Date(rented.now + 31 * dayMs).toISOString();
    const dry = await run(["--at", at, "--dry-run"], settings());
    assert.equal(dry.code, 0);
    assert.equal(await stateOf(core, poor.id), "ACTIVE");
    const real = await run([`--at=${at.replace("Z", "+00:00")}`], settings());
    assert.equal(real.code, 0);
    const due = `Renewals due by ${at}${Date.parse(at) > Date.now() ? " (in the future)" : ""}`;
    assert.equal(dry.lines[0], `${due}, dry run: nothing is written`);
    assert.equal(real.lines[0], due);
    assert.deepEqual(real.lines.slice(1), dry.lines.slice(1));

    const steps = real.lines.slice(2, -1).map((line) => line.split(/ {2,}/));
    assert.deepEqual(
      steps.map(([, server, , action]) => [server, action]),
      [
        [rich.id, "charge"],
        [poor.id, "charge"],
        [rich.id, "charge"],
        [poor.id, "terminate"],
        [rich.id, "charge"],
        [rich.id, "charge"],
        [off.id, "grace"],
      ],
    );
    assert.equal(
      real.lines.at(-1),
      "Total: 5 charged (50.00 USD), 5 extended, 0 out of grace, 1 into grace, 1 terminated, 0 quotes expired.",
    );
    const starts = new Set(real.lines.slice(1, -1).map((line) => line.search(/ACC|acc_/)));
    assert.equal(starts.size, 1, "the columns are not aligned");
    const again = await run(["--at", at], settings());
    assert.equal(again.lines.length, 2);
    await assertInvariantsHold(core.db);
  });

  test("a time more than two years ahead is refused", async () => {
    const server = await rented.serverOfNewCustomer(100_000);
    const { code, lines } = await run(["--at", "2062-12-15T09:30:00Z"], settings());
    assert.equal(code, 2);
    assert.deepEqual(lines, ["error: --at is more than two years ahead. Nothing was done.", help]);
    assert.equal(await stateOf(rented.core, server.id), "ACTIVE");
  });

  test("prints the first 1,000 steps, the number of others, and the total", async () => {
    const { core } = rented;
    const accountId = await rented.customer(10_000_000);
    for (let index = 0; index < 20; index += 1) {
      await rented.server(accountId, { term: "weekly", addressSets: 0 });
    }
    const at = new Date(rented.now + 52 * 7 * dayMs).toISOString();
    const { lines } = await run(["--at", at, "--dry-run"], settings());
    assert.equal(lines.length, 2 + 1_000 + 2);
    assert.equal(lines.at(-2), "… and 40 more");
    assert.match(lines.at(-1) ?? "", /^Total: 1040 charged \(10400\.00 USD\)/);
    await assertInvariantsHold(core.db);
  });

  test("a failed renewal is reported with its server and reason, and exit code 1", async () => {
    const { core } = rented;
    const server = await rented.serverOfNewCustomer(0);
    await core.db.write(async (tx) => {
      const moved = tx.updateTable("machines").set({ state: "RETIRED" });
      await moved.where("id", "=", server.machineId).execute();
      return { ok: true, value: undefined };
    });
    const at = new Date(rented.now + 40 * dayMs).toISOString();
    const { code, lines } = await run(["--at", at], settings());
    assert.equal(code, 1);
    assert.match(
      lines.at(-1) ?? "",
      new RegExp(`^Failed: ${server.id} was not renewed: the machine`),
    );
  });
});

function exactly(text: string): RegExp {
  return new RegExp(`^${RegExp.escape(text)}$`);
}
