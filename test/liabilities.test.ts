import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import {
  canonicalJson,
  verifyLiabilities,
  type Json,
  type ProvenLiabilities,
  type StatementKeys,
} from "@ironlease/statement";
import { sql } from "kysely";
import { sweep } from "#server/features/housekeeping/sweep.ts";
import { signLiabilities } from "#server/features/liabilities/sign-liabilities.ts";
import { verifyInvariants } from "#server/features/verification/verify-invariants.ts";
import { systemCall } from "#server/kernel/call.ts";
import type { Core } from "#server/kernel/core.ts";
import { move } from "#server/kernel/ledger.ts";
import { dateOf } from "#server/kernel/liability-trees.ts";
import { ok } from "#server/kernel/result.ts";
import { publishStatementKey } from "#server/kernel/statement-keys.ts";
import { forEachEngine } from "#test/engines.ts";
import { codeBlocks, missingPrograms } from "#test/guide.ts";
import { startRental, type Rental, type RentalCustomer } from "#test/rental-service.ts";

const dayMs = 86_400_000;
/** The verifiers of the guide: for statements, and for liabilities. */
const programs = codeBlocks("docs/guides/verify-your-statement.md", "python");

forEachEngine((engine) => {
  describe("GET /api/v1/liabilities/{date}", () => {
    let rental: Rental;
    let keys: StatementKeys;
    let core: Core;
    const customers: { readonly customer: RentalCustomer; readonly cents: number }[] = [];
    const isSecond = engine === "postgres" && "the file is the same on both engines";
    const today = () => dateOf(rental.clock.now());
    /** Days pass and sessions end, so they are extended first. */
    const read = async (customer: RentalCustomer, date = today()) => {
      const now = rental.clock.now();
      await core.db.write(async (tx) => {
        const renewed = { last_seen_at: now + 3 * dayMs, ends_at: now + 3 * dayMs };
        return ok(void (await tx.updateTable("sessions").set(renewed).execute()));
      });
      return customer.send("GET", `/api/v1/liabilities/${date}`);
    };
    const verified = async (customer: RentalCustomer, date?: string) => {
      const { text } = await read(customer, date);
      const result = await verifyLiabilities(Buffer.from(text), keys, customer.accountId);
      assert.ok(result.ok, JSON.stringify(result));
      return result.value;
    };
    const countRows = async () => {
      const { rows } = await sql<{ trees: number; chunks: number }>`select
        (select count(*) from liability_trees) as trees,
        (select count(*) from liability_chunks) as chunks`.execute(core.db.read);
      return rows[0];
    };

    before(async () => {
      rental = await startRental(engine);
      ({ core } = rental);
      for (const usd of [100, 0, 25, 300, 7]) {
        customers.push({ customer: await rental.customer(usd), cents: usd * 100 });
      }
      const [first] = customers;
      const held = await first?.customer.send("POST", "/api/v1/withdrawals", {
        body: { asset: "ETH", destination: "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed", usd: 25 },
        headers: { "idempotency-key": "held-money" },
      });
      assert.equal(held?.status, 201);
    });
    after(() => rental.close());

    test("a failure before the commit leaves nothing behind", async () => {
      const [ada] = customers;
      const missing = await read(ada?.customer ?? assert.fail());
      assert.equal(missing.status, 404);
      assert.match(missing.json.error.message, /^No liabilities were signed on /);
      const broken: Core = {
        ...core,
        db: {
          ...core.db,
          write: (work, violations) =>
            core.db.write(async (tx) => {
              const result = await work(tx);
              if (result.ok) throw new Error("crashed after the last statement");
              return result;
            }, violations),
        },
      };
      await publishStatementKey(core);
      await assert.rejects(signLiabilities(broken), /crashed after/);
      assert.deepEqual(await countRows(), { trees: 0, chunks: 0 });
    });

    test("two instances sign one tree, whose proofs add up to the total, held money included", async () => {
      const runs = await Promise.all([signLiabilities(core), signLiabilities(core)]);
      assert.equal(runs.filter((run) => run?.isNew === true).length, 1);
      assert.equal(runs[0]?.tree.rootHash, runs[1]?.tree.rootHash);
      keys = (await rental.send("GET", "/.well-known/ironlease-statement-keys.json")).json;
      const documents: ProvenLiabilities[] = [];
      for (const { customer, cents } of customers) {
        const document = await verified(customer);
        assert.equal(document.proof.balanceCents, cents);
        documents.push(document);
        const other = Buffer.from(canonicalJson(document as unknown as Json));
        assert.equal((await verifyLiabilities(other, keys, "acc_other")).ok, false);
      }
      const total = customers.reduce((sum, { cents }) => sum + cents, 0);
      assert.deepEqual(new Set(documents.map(({ totalCents }) => totalCents)), new Set([total]));
      assert.equal(new Set(documents.map(({ proof }) => proof.salt)).size, customers.length);
      const { liabilities } = (
        await (customers[0]?.customer ?? assert.fail()).send("GET", "/api/v1/liabilities")
      ).json;
      const { date, rootHash, totalCents } = documents[0] ?? assert.fail();
      assert.deepEqual(liabilities[0], { date, rootHash, totalCents });
      assert.equal(liabilities.length, 1);
    });

    test("an account that is opened later gets the signed total without a proof", async () => {
      const late = await rental.customer(50);
      const [ada] = customers;
      const before = (await read(ada?.customer ?? assert.fail())).text;
      assert.equal((await signLiabilities(core))?.isNew, false);
      const answer = await read(late);
      assert.equal(answer.json.proof, null);
      assert.equal(answer.json.rootHash, JSON.parse(before).rootHash);
      const result = await verifyLiabilities(Buffer.from(answer.text), keys, late.accountId);
      assert.match(result.ok ? "" : result.problem, /has no proof for this account/);
      assert.equal((await read(ada?.customer ?? assert.fail())).text, before);
      for (const date of ["yesterday", "2026-1-1", "2026-02-30", "2026-01-01T00:00:00Z"]) {
        const { status, json } = await read(late, date);
        assert.deepEqual([status, json.error.fields[0].field], [400, "date"]);
      }
    });

    test("a document with any single byte changed fails", { skip: isSecond }, async () => {
      const { customer } = customers[3] ?? assert.fail();
      const file = Buffer.from((await read(customer)).text);
      for (let index = 0; index < file.length; index += 1) {
        const changed = Buffer.from(file);
        changed[index] = (file[index] ?? 0) ^ (1 + (index % 127));
        const result = await verifyLiabilities(changed, keys, customer.accountId);
        assert.equal(result.ok, false, `byte ${index}`);
      }
    });

    const skip = isSecond === false ? missingPrograms("python3") : isSecond;
    test("the verifier in the guide agrees", { skip }, async (t) => {
      const { customer, cents } = customers[3] ?? assert.fail();
      const folder = mkdtempSync(join(tmpdir(), "ironlease-liabilities-"));
      t.after(() => rmSync(folder, { recursive: true }));
      const [verify = "", liabilities = ""] = programs;
      writeFileSync(join(folder, "verify.py"), verify);
      writeFileSync(join(folder, "liabilities.py"), liabilities);
      writeFileSync(join(folder, "keys.json"), JSON.stringify(keys));
      const run = (text: string, accountId: string) => {
        writeFileSync(join(folder, "proof.json"), text);
        const argv = ["liabilities.py", "proof.json", "keys.json", accountId];
        return spawnSync("python3", argv, { cwd: folder, encoding: "utf8" });
      };
      const { text } = await read(customer);
      const otherSide: Readonly<Record<string, string>> = { LEFT: "RIGHT", RIGHT: "LEFT" };
      const good = run(text, customer.accountId);
      assert.match(good.stdout, new RegExp(`^Verified: ${cents} of `), good.stderr);
      for (const [changed, accountId] of [
        [text, "acc_other"],
        [text.replace(/LEFT|RIGHT/, (side) => otherSide[side] ?? ""), customer.accountId],
        [text.replace(/"totalCents":/, '"totalCents":1'), customer.accountId],
      ] as const) {
        assert.match(run(changed, accountId).stderr, /^NOT VERIFIED: /);
      }
      return undefined;
    });

    test("all balances are of one moment while money moves", async () => {
      const [from, to] = [customers[3]?.customer, customers[4]?.customer];
      if (from === undefined || to === undefined) assert.fail();
      rental.clock.advance(dayMs);
      const signing = new AbortController();
      let moved = 0;
      // Both movements are one transaction, so their sum is the same at any moment.
      const movements = (async () => {
        for (; !signing.signal.aborted; moved += 1) {
          await core.db.write(async (tx) => {
            const scope = { tx, core, call: systemCall };
            const change = { type: "ADJUSTMENT", description: "Test." } as const;
            const reference = { kind: "adjustment" };
            const sides = [from, to].toSorted((a, b) => (a.accountId < b.accountId ? -1 : 1));
            for (const { accountId } of sides) {
              const cents = accountId === from.accountId ? -1 : 1;
              const cause = `moment/${moved}/${accountId}`;
              const done = await move(scope, { ...change, reference, accountId, cents, cause });
              if (!done.ok) return done;
            }
            return ok();
          });
        }
      })();
      const total = (await signLiabilities(core))?.tree.totalCents;
      signing.abort();
      await movements;
      assert.ok(moved > 0);
      assert.equal(total, 43_200 + 5_000);
      const finding = (await verifyInvariants(core.db)).find(({ number }) => number === 14);
      assert.deepEqual([finding?.count, finding?.offenders], [2, []]);
    });

    test("a missed day has no tree, and a clock that goes back signs nothing", async () => {
      const { customer } = customers[3] ?? assert.fail();
      const signed = await verified(customer);
      rental.clock.advance(2 * dayMs);
      const later = (await signLiabilities(core))?.tree.date;
      assert.equal(later, today());
      assert.notEqual((await verified(customer)).proof.salt, signed.proof.salt);
      rental.clock.advance(-dayMs);
      assert.equal(await signLiabilities(core), undefined);
      assert.equal((await read(customer)).status, 404);
      rental.clock.advance(dayMs);
      assert.equal((await signLiabilities(core))?.isNew, false);
    });

    test("old proofs are deleted, signed totals stay, and neither can be changed", async () => {
      const { customer } = customers[3] ?? assert.fail();
      const before = await read(customer);
      for (const statement of [
        "update liability_trees set total_cents = 0",
        "delete from liability_trees",
        "update liability_chunks set nodes = '[]'",
      ]) {
        await assert.rejects(
          core.db.write(async (tx) => ok(await sql.raw(statement).execute(tx))),
          /append-only/,
        );
      }
      assert.equal((await read(customer)).text, before.text);
      const rules = { ...core.rules, keepProofsMs: dayMs };
      await sweep({ ...core, rules });
      assert.equal((await read(customer)).text, before.text);
      rental.clock.advance(2 * dayMs);
      assert.equal((await sweep({ ...core, rules })).liabilityChunks, 1);
      const date = JSON.parse(before.text).date;
      const { proof, ...kept } = (await read(customer, date)).json;
      assert.equal(proof, null);
      assert.deepEqual({ ...kept, proof: before.json.proof }, before.json);
      const finding = (await verifyInvariants(core.db)).find(({ number }) => number === 14);
      assert.deepEqual(finding?.offenders, []);
    });
  });
});
