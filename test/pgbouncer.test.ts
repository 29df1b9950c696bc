import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { skipWithout } from "#test/components.ts";
import { ironleased } from "#test/ironleased.ts";
import { startPgBouncer } from "#test/pgbouncer.ts";
import { order, startRental } from "#test/rental-service.ts";
import { runStatement } from "#test/template-database.ts";
import { createMigratedDatabase, createTestDatabase } from "#test/test-database.ts";

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

        assert.match(await doctor(pooler.url, "replication"), /^ok .*through a pooler/);
      } finally {
        await rental.close();
        await pooler.stop();
        await database.drop();
      }
    });

    test(`in ${mode} mode, doctor mentions it until the server ends idle transactions`, async () => {
      const database = await createMigratedDatabase();
      const pooler = await startPgBouncer(database.url, mode);
      const advice =
        /^note .*never ends them.*"alter role postgres (set idle_in_transaction_session_timeout = '10s')"/;
      const warning = await doctor(pooler.url, "idle transactions");
      assert.match(warning, advice);
      // Other tests use the same role.
      const { pathname } = new URL(database.url);
      const setting = advice.exec(warning)?.[1];
      await runStatement(database.url, `alter database ${pathname.slice(1)} ${setting}`);
      await pooler.stop();
      const restarted = await startPgBouncer(database.url, mode);
      try {
        assert.match(await doctor(restarted.url, "idle transactions"), /^ok .*after 10s$/);
        assert.match(await doctor(database.url, "idle transactions"), /^ok .*after 10s$/);
      } finally {
        await restarted.stop();
        await database.drop();
      }
    });
  }
});

async function doctor(databaseUrl: string, subject: string): Promise<string> {
  const { lines } = await ironleased(["doctor"], {
    IRONLEASE_TLS: "off",
    IRONLEASE_DATABASE_URL: databaseUrl,
  });
  return lines.find((line) => line.includes(` ${subject}:`)) ?? "";
}
