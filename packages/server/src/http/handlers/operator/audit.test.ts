import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { forEachEngine } from "#test/engines.ts";
import type { Answer } from "#test/https-client.ts";
import { startRental, type Rental } from "#test/rental-service.ts";

forEachEngine((engine) => {
  describe("the audit log over HTTPS", () => {
    let rental: Rental;
    before(async () => {
      rental = await startRental(engine);
    });
    after(() => rental.close());

    const fieldsOf = ({ json }: Answer): string[] =>
      json.error.fields.map(({ field }: { field: string }) => field);

    test("invalid filters, including a NUL, are 400 and named", async () => {
      const support = await rental.operator("support");
      const cases: [string, string[]][] = [
        ["audit?since=yesterday", ["since"]],
        ["audit?until=2026-02-31T00:00:00.000Z", ["until"]],
        ["audit?since=2026-11-15T09:30:00%2B01:00", ["since"]],
        [`audit?actor=${"a".repeat(129)}`, ["actor"]],
        ["audit?actor=%00", ["actor"]],
        ["audit?page=2", ["page"]],
        ["audit?actor=a&actor=b", ["actor"]],
      ];
      for (const [path, fields] of cases) {
        const answer = await support.send("GET", `/operator/v1/${path}`);
        assert.equal(answer.status, 400, path);
        assert.deepEqual(fieldsOf(answer), fields, path);
      }
    });
  });
});
