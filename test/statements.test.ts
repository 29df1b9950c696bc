import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { verifyStatement, type Statement, type StatementKeys } from "@ironlease/statement";
import { sql } from "kysely";
import { ok } from "#server/kernel/result.ts";
import { verifyInvariants } from "#server/features/verification/verify-invariants.ts";
import { forEachEngine } from "#test/engines.ts";
import { codeBlocks, missingPrograms } from "#test/guide.ts";
import { order, startRental, type Rental } from "#test/rental-service.ts";
import type { Customer } from "#test/service.ts";

const path = "/api/v1/statement";
const [program = ""] = codeBlocks("docs/guides/verify-your-statement.md", "python");

/** Runs the verifier of the guide on a file. */
function runPython(folder: string, statement: string | Buffer, keys: StatementKeys) {
  writeFileSync(join(folder, "verify.py"), program);
  writeFileSync(join(folder, "statement.json"), statement);
  writeFileSync(join(folder, "keys.json"), JSON.stringify(keys));
  const argv = ["verify.py", "statement.json", "keys.json"];
  return spawnSync("python3", argv, { cwd: folder, encoding: "utf8" });
}

forEachEngine((engine) => {
  describe("GET /api/v1/statement", () => {
    let rental: Rental;
    let ada: Customer;
    let keys: StatementKeys;
    const isSecond = engine === "postgres" && "the file is the same on both engines";
    const csv = { headers: { accept: "text/csv" } };
    const problemOf = async (file: string | Uint8Array) => {
      const verified = await verifyStatement(Buffer.from(file), keys);
      return verified.ok ? undefined : verified.problem;
    };

    before(async () => {
      rental = await startRental(engine);
      ada = await rental.customer(500);
      await ada.send("POST", "/api/v1/orders", {
        body: order,
        headers: { "idempotency-key": "statement-1" },
      });
      keys = (await rental.send("GET", "/.well-known/ironlease-statement-keys.json")).json;
    });
    after(() => rental.close());

    test("the whole ledger verifies as JSON and as CSV, for a session and a billing key", async () => {
      const json = await ada.send("GET", path);
      assert.equal(json.headers["content-type"], "application/json; charset=utf-8");
      assert.equal(await problemOf(json.text), undefined);
      const statement = json.json as Statement;
      const ledger = (await ada.send("GET", "/api/v1/ledger")).json;
      assert.deepEqual(statement.entries, ledger.entries.toReversed());
      assert.deepEqual(
        [statement.openingBalanceUsd, statement.closingBalanceUsd, statement.previousHash],
        [0, ledger.balanceUsd, null],
      );
      const { hash, count } = statement.head;
      assert.deepEqual([hash, count], [ledger.entries[0].hash, ledger.entries.length]);

      const { key } = (
        await ada.send("POST", "/api/v1/api-keys", { body: { name: "books", scope: "billing" } })
      ).json;
      const authorization = `Bearer ${key}`;
      const table = await rental.send("GET", path, {
        headers: { authorization, accept: "text/csv, application/json;q=0.5" },
      });
      assert.equal(table.headers["content-type"], "text/csv; charset=utf-8");
      assert.equal(await problemOf(table.text), undefined);
      assert.equal(table.text.split("\r\n").length, 1 + 1 + count + 1 + 1);
      const head = await ada.send("HEAD", path);
      assert.deepEqual([head.status, head.text], [200, ""]);
    });

    test("a period has the entries from its start to before its end, and its parts join", async () => {
      const grace = await rental.customer(0);
      const times: string[] = [];
      for (let second = 0; second < 4; second += 1) {
        times.push(new Date(rental.clock.now()).toISOString());
        await rental.credit(grace, 100);
        rental.clock.advance(1_000);
      }
      const read = async (query: string) => {
        const { text, json } = await grace.send("GET", `${path}?${query}`);
        assert.equal(await problemOf(text), undefined);
        return json as Statement;
      };
      const [, second = "", , fourth = ""] = times;
      const early = await read(`to=${second}`);
      const middle = await read(`from=${second}&to=${fourth}`);
      const late = await read(`from=${fourth}`);
      assert.deepEqual(
        [early, middle, late].map(({ entries, head }) => [entries.length, head.count]),
        [
          [1, 1],
          [2, 3],
          [1, 4],
        ],
      );
      assert.deepEqual([middle.openingBalanceUsd, middle.closingBalanceUsd], [1, 3]);
      assert.deepEqual(
        [middle.previousHash, late.previousHash],
        [early.head.hash, middle.head.hash],
      );
      const empty = await read("from=2000-01-01&to=2000-02-01");
      assert.deepEqual([empty.entries, empty.head.hash, empty.head.count], [[], null, 0]);
    });

    test("periods join without a gap or an overlap after the clock went back", async () => {
      const grace = await rental.customer(0);
      const start = rental.clock.now();
      for (const second of [0, 1, 2, 9, 10, 3, 4, 5, 11]) {
        rental.clock.advance(start + second * 1_000 - rental.clock.now());
        await rental.credit(grace, 100);
      }
      const read = async (from: number, to: number) => {
        const [first, last] = [from, to].map((second) =>
          new Date(start + second * 1_000).toISOString(),
        );
        const { text, json } = await grace.send("GET", `${path}?from=${first}&to=${last}`);
        assert.equal(await problemOf(text), undefined);
        return json as Statement;
      };
      const ends = [0, 2, 4, 6, 10, 12];
      const { entries } = await read(4, 6);
      // A later entry must not move the boundaries of earlier periods.
      await rental.credit(grace, 100);
      assert.deepEqual((await read(4, 6)).entries, entries);
      let head: string | null = null;
      let count = 0;
      for (const [index, end] of ends.slice(1).entries()) {
        const part = await read(ends[index] ?? 0, end);
        assert.equal(part.previousHash, head);
        head = part.head.hash;
        count += part.entries.length;
      }
      assert.equal(count, 9 + 1);
    });

    test("400 names a date that does not exist and an end before the start", async () => {
      for (const [query, field] of [
        ["from=2026-02-30", "from"],
        ["to=yesterday", "to"],
        ["from=2026-02-02&to=2026-02-01", "to"],
      ] as const) {
        const answer = await ada.send("GET", `${path}?${query}`);
        assert.equal(answer.status, 400, query);
        assert.deepEqual(answer.json.error.fields[0].field, field);
      }
    });

    test("a statement with any single byte changed fails", { skip: isSecond }, async () => {
      for (const options of [{}, csv]) {
        const { text } = await ada.send("GET", path, options);
        const file = Buffer.from(text);
        assert.equal(await problemOf(file), undefined);
        for (let index = 0; index < file.length; index += 1) {
          const changed = Buffer.from(file);
          changed[index] = (file[index] ?? 0) ^ (1 + (index % 127));
          assert.notEqual(await problemOf(changed), undefined, `byte ${index}`);
        }
        // Values that a lenient reader takes for the same.
        for (const [find, replace] of [
          ["500", "5e2"],
          ["\r\n", "\n"],
          ["{", "{ "],
        ] as const) {
          if (!text.includes(find)) continue;
          assert.notEqual(await problemOf(text.replace(find, replace)), undefined, replace);
        }
      }
    });

    test(
      "the verifier in the guide accepts the statement and refuses a changed one",
      { skip: isSecond === false ? missingPrograms("python3") : isSecond },
      async (t) => {
        const folder = mkdtempSync(join(tmpdir(), "ironlease-statement-"));
        t.after(() => rmSync(folder, { recursive: true }));
        const { text } = await ada.send("GET", path);
        const good = runPython(folder, text, keys);
        assert.equal(good.stdout, "Verified: 2 entries of " + JSON.parse(text).head.account + "\n");
        for (const changed of [
          text.replace("monthly", "monthlz"),
          text.replace(/"value":"(.)/, (_, first) => `"value":"${first === "A" ? "B" : "A"}`),
          `${text} `,
        ]) {
          const refused = runPython(folder, changed, keys);
          assert.equal(refused.status, 1);
          assert.match(refused.stderr, /^NOT VERIFIED: /);
        }
        return undefined;
      },
    );

    test("a row rewritten behind the service's back is found by the customer and by verify", async () => {
      const eve = await rental.customer(100);
      await rental.credit(eve, 4_200);
      await rental.credit(eve, 100);
      const { db } = rental.core;
      const { id } = (await eve.send("GET", "/api/v1/ledger")).json.entries[1];
      const triggers = ["journal_no_update", "journal_hash_once"];
      await db.write(async (tx) => {
        for (const trigger of triggers) {
          await sql
            .raw(`drop trigger ${trigger}${engine === "postgres" ? " on journal" : ""}`)
            .execute(tx);
        }
        return ok();
      });
      const rewrite = (assignment: string) =>
        db.write(async (tx) =>
          ok(await sql.raw(`update journal set ${assignment} where id = '${id}'`).execute(tx)),
        );
      await rewrite("description = 'nothing to see here'");
      const found = (await eve.send("GET", path)).text;
      assert.match((await problemOf(found)) ?? "", new RegExp(`The entry ${id} does not match`));
      // With a new hash for the changed row, the next one no longer follows it.
      await rewrite(`hash = '${"0".repeat(64)}'`);
      assert.match((await problemOf((await eve.send("GET", path)).text)) ?? "", /The entry led_/);
      const finding = (await verifyInvariants(db)).find(({ number }) => number === 13);
      assert.equal(finding?.offenders[0]?.subject, id);
    });
  });
});
