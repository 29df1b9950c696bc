import assert from "node:assert/strict";
import { mock, test } from "node:test";
import pg from "pg";
import { Batch } from "#server/adapters/postgres/batch.ts";
import { order, startRental } from "#test/rental-service.ts";
import { speedUnderTest } from "#test/speed.ts";

type Statement = string | pg.QueryConfig;
type Query = (this: pg.Client, statement: Statement | Batch) => Promise<pg.QueryResult>;

/** Counts statements, and how often one is sent only after all others are answered. */
async function countTrips(work: () => Promise<unknown>) {
  const counts = { statements: 0, waits: 0 };
  let unanswered = 0;
  const client = pg.Client.prototype as unknown as { query: Query };
  const { query } = client;
  const counting = mock.method(client, "query", async function (this: pg.Client, statement) {
    counts.statements += statement instanceof Batch ? statement.statements.length : 1;
    if (unanswered === 0) counts.waits += 1;
    unanswered += 1;
    try {
      const answer = query.call(this, statement);
      if (statement instanceof Batch) await statement.results;
      return await answer;
    } finally {
      unanswered -= 1;
    }
  } satisfies Query);
  await work();
  counting.mock.restore();
  return counts;
}

const waits = speedUnderTest.pipelinedWrites === undefined ? 13 : 4;

test(`on PostgreSQL an order waits ${waits} times for 17 statements, begin and commit included`, async (t) => {
  // Without background jobs, whose statements would be counted too.
  const settings = { IRONLEASE_SETTLEMENT: "none" };
  const rental = await startRental("postgres", { settings });
  t.after(() => rental.close());
  const ada = await rental.customer(500);
  const place = (key: string) =>
    ada.send("POST", "/api/v1/orders", { body: order, headers: { "idempotency-key": key } });
  await place("first-order");
  const authentication = await countTrips(() => ada.send("GET", "/api/v1/me"));
  const placed = await countTrips(() => place("second-order"));
  assert.deepEqual(
    {
      statements: placed.statements - authentication.statements,
      waits: placed.waits - authentication.waits,
    },
    { statements: 17, waits },
  );
});
