import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { forEachEngine } from "#test/engines.ts";
import { codeOf, type Answer } from "#test/https-client.ts";
import type { SignedInOperator } from "#test/operators.ts";
import { startRental, testCatalogue, type Rental } from "#test/rental-service.ts";

const catalogue = "/operator/v1/catalogue";

const fieldsOf = (answer: Answer): readonly string[] =>
  (answer.json.error.fields ?? []).map(({ field }: { field: string }) => field);

forEachEngine((engine) => {
  describe("the catalogue document over HTTPS", () => {
    let rental: Rental;
    let support: SignedInOperator;
    let admin: SignedInOperator;
    before(async () => {
      rental = await startRental(engine);
      support = await rental.operator("support");
      admin = await rental.operator("admin");
    });
    after(() => rental.close());

    const put = (body: unknown, ifMatch?: string, by = admin) =>
      by.send("PUT", catalogue, {
        body,
        headers: ifMatch === undefined ? {} : { "if-match": ifMatch },
      });
    const cheaper = (monthlyUsd: number) => {
      const changed = structuredClone(testCatalogue);
      changed.configurations[0]!.offers[0]!.monthlyUsd = monthlyUsd;
      return changed;
    };

    test("PUT accepts what GET returns and changes nothing", async () => {
      const read = await support.send("GET", catalogue);
      assert.deepEqual([read.status, read.headers.etag, read.json], [200, '"1"', testCatalogue]);
      const same = await put(read.json, read.headers.etag);
      assert.deepEqual([same.status, same.headers.etag, same.json], [200, '"1"', testCatalogue]);
      const withSchema = await put({ $schema: "./catalogue.schema.json", ...read.json });
      assert.deepEqual([withSchema.status, withSchema.headers.etag], [200, '"1"']);
    });

    test("one of two concurrent edits with the same etag succeeds, and the other gets 409", async () => {
      const { etag } = (await support.send("GET", catalogue)).headers;
      const answers = await Promise.all([put(cheaper(40), etag), put(cheaper(41), etag)]);
      assert.deepEqual(answers.map(({ status }) => String(status)).toSorted(), ["200", "409"]);
      const lost = answers.find(({ status }) => status === 409)!;
      assert.equal(codeOf(lost), "conflict");
      const won = answers.find(({ status }) => status === 200)!;
      const read = await support.send("GET", catalogue);
      assert.deepEqual([read.headers.etag, read.json], [won.headers.etag, won.json]);
      assert.notEqual(won.headers.etag, etag);
      assert.equal((await put(cheaper(42), read.headers.etag)).status, 200);
    });

    test("if-match: malformed is 400, stale or weak is 409, and * is accepted", async () => {
      const { etag = "" } = (await support.send("GET", catalogue)).headers;
      for (const wrong of ["7", "etag", '"7', ","]) {
        const answer = await put(cheaper(50), wrong);
        assert.deepEqual([answer.status, fieldsOf(answer)], [400, ["if-match"]], wrong);
      }
      for (const stale of ['"0"', '"1", "999"', `W/${etag}`]) {
        assert.equal((await put(cheaper(50), stale)).status, 409, stale);
      }
      assert.equal((await support.send("GET", catalogue)).headers.etag, etag);
      assert.equal((await put(cheaper(51), "*")).status, 200);
    });

    test("errors name the path of the field, and nothing is saved", async () => {
      const { etag } = (await support.send("GET", catalogue)).headers;
      const wrong = structuredClone(testCatalogue) as unknown as {
        configurations: { offers: Record<string, unknown>[] }[];
      };
      wrong.configurations[0]!.offers.push({ regionId: "ams", weeklyUsd: "1", monthlyUsd: 1 });
      const answer = await put(wrong);
      assert.deepEqual(
        [answer.status, fieldsOf(answer)],
        [400, ["configurations.0.offers.1.weeklyUsd"]],
      );
      const inexact = await put(cheaper(1.005));
      assert.deepEqual(fieldsOf(inexact), ["configurations.0.offers.0.monthlyUsd"]);
      const unknown = await put({ ...testCatalogue, taxes: [] });
      assert.deepEqual(fieldsOf(unknown), ["taxes"]);
      assert.equal((await support.send("GET", catalogue)).headers.etag, etag);
    });

    test("only an admin may change it", async () => {
      const finance = await rental.operator("finance");
      for (const by of [support, finance]) {
        assert.equal(codeOf(await put(cheaper(60), "*", by)), "role_forbidden");
      }
    });
  });
});
