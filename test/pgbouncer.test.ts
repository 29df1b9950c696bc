import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { skipWithout } from "#test/components.ts";
import { ironleased } from "#test/ironleased.ts";
import { startPgBouncer } from "#test/pgbouncer.ts";
import { order, startRental } from "#test/rental-service.ts";
import { createTestDatabase } from "#test/test-database.ts";

const rounds = 12;

describe("postgres behind PgBouncer", { skip: await skipWithout("pgbouncer") }, () => {
  for (const mode of ["transaction", "session"] as const) {
    test(`in ${mode} mode, the service migrates, and concurrent reads and writes are answered as without it`, async () => {
      const database = await createTestDatabase();
      const pooler = await startPgBouncer(database.url, mode);
      const rental = await startRental("postgres", {
        settings: { IRONLEASE_DATABASE_URL: pooler.url },
      });
      try {
        const customers = await Promise.all([1, 2, 3, 4].map(() => rental.customer(1_000)));
        const answers = await Promise.all(
          customers.flatMap(({ send, username }) =>
            Array.from({ length: rounds }, async (_, round) => {
              const headers = { "idempotency-key": `${username}-order-${round % 3}` };
              return Promise.all([
                send("GET", "/api/v1/me"),
                send("GET", "/api/v1/ledger"),
                send("POST", "/api/v1/orders", { headers, body: order }),
                send("GET", "/api/v1/servers"),
              ]);
            }),
          ),
        );
        const statuses = answers.flat().map(({ status, text }) => (status < 300 ? "" : text));
        assert.deepEqual([...new Set(statuses)], [""]);
        const stored = await rental.core.db.read.selectFrom("orders").select("id").execute();
        assert.equal(stored.length, customers.length * 3);
        await rental.assertInvariants();

        const { lines } = await ironleased(["doctor"], {
          IRONLEASE_TLS: "off",
          IRONLEASE_DATABASE_URL: pooler.url,
        });
        const found = lines.find((line) => line.includes(" replication:")) ?? "";
        assert.match(found, /^ok .*through a pooler/);
      } finally {
        await rental.close();
        await pooler.stop();
        await database.drop();
      }
    });
  }
});
