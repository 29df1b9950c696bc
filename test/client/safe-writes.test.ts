import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { ApiError, OutcomeUnknown, type SessionClient } from "#client/index.ts";
import { assertInvariants, order, scarce } from "#test/rental-service.ts";
import { randomFrom } from "#test/random-from.ts";
import { drawFaults } from "./draw-faults.ts";
import { headerOf } from "./http-bytes.ts";
import { startClientHarness, type ClientHarness } from "./client-harness.ts";

/** Set IRONLEASE_TEST_SEED to replay a failed run. */
const seed = Number(process.env["IRONLEASE_TEST_SEED"] ?? randomInt(2 ** 31));
/** Fewer runs over TLS, because the handshakes would take most of the time. */
const runsOver = { https: 250, http: 750 } as const;
const destination = "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed";

interface Write {
  readonly operation: string;
  /** The table in which to count its effects, in addition to the idempotency record. */
  readonly table: "orders" | "deposit_addresses" | "actions" | "withdrawals" | undefined;
  readonly send: (client: SessionClient, run: number, serverId: string) => Promise<object>;
}

const writes: readonly Write[] = [
  { operation: "placeOrder", table: "orders", send: (client) => client.placeOrder(order) },
  {
    operation: "createDepositAddress",
    table: "deposit_addresses",
    send: (client) => client.createDepositAddress({ asset: "BTC" }),
  },
  {
    operation: "requestAction",
    table: "actions",
    send: (client, _, id) => client.requestAction({ id, action: "reboot" }),
  },
  {
    operation: "setDdosMode",
    table: undefined,
    send: (client, run, id) =>
      client.setDdosMode({ id, mode: run % 2 === 0 ? "ADVANCED" : "BASELINE" }),
  },
  {
    operation: "requestWithdrawal",
    table: "withdrawals",
    // A different amount in each run, so that the ledger identifies it.
    send: (client, run) =>
      client.requestWithdrawal({ asset: "ETH", destination, usd: (100 + run) / 100 }),
  },
  {
    operation: "placeOrder",
    table: "orders",
    send: (client) => client.placeOrder({ ...order, ...scarce, quantity: 20 }),
  },
];

for (const scheme of ["https", "http"] as const) {
  const runs = runsOver[scheme];
  describe(`writes over ${scheme} through a faulty network`, () => {
    let harness: ClientHarness;
    before(async () => {
      harness = await startClientHarness(scheme);
    });
    after(() => harness.close());

    /** Counts all rows, because there is only one account. */
    const count = async (table: NonNullable<Write["table"]> | "idempotency_keys") => {
      const counted = harness.service.core.db.read
        .selectFrom(table)
        .select((eb) => eb.fn.countAll<number>().as("rows"));
      return (await counted.executeTakeFirstOrThrow()).rows;
    };

    const effectsOf = async ({ table }: Write) => ({
      rows: table === undefined ? 0 : await count(table),
      keys: await count("idempotency_keys"),
    });

    const recordOf = (operation: string, key: string) =>
      harness.service.core.db.read
        .selectFrom("idempotency_keys")
        .select("body")
        .where("owner_id", "=", harness.accountId)
        .where("operation", "=", operation)
        .where("key", "=", key)
        .executeTakeFirst();

    test(`each of ${runs} seeded runs has one effect with one key and reports the recorded outcome`, async (t) => {
      t.diagnostic(`seed ${seed}`);
      const random = randomFrom(seed);
      const seen = { answered: 0, recorded: 0, withId: 0, refused: 0, unknown: 0, attempts: 0 };
      const { proxy, client, serverId } = harness;

      for (let run = 0; run < runs; run += 1) {
        const write = writes[run % writes.length] ?? assert.fail();
        const faults = drawFaults(Math.floor(run / writes.length), random);
        const context = `seed ${seed} run ${run} ${write.operation} ${JSON.stringify(faults)}`;
        const before = await effectsOf(write);
        proxy.requests.length = 0;
        proxy.faults = [...faults];

        let outcome = await settled(write.send(client, run, serverId));
        if (outcome instanceof OutcomeUnknown) {
          seen.unknown += 1;
          proxy.faults = [];
          outcome = await settled(write.send(client, run, serverId));
        }
        proxy.faults = [];
        await proxy.deliverLate();

        const sent = proxy.requests.flatMap(
          (request) => headerOf(request, "idempotency-key") ?? [],
        );
        seen.attempts += sent.length;
        const [key, ...otherKeys] = new Set(sent);
        assert.deepEqual(otherKeys, [], `more than one key: ${context}`);
        const effects = await effectsOf(write);
        const record = await recordOf(write.operation, key ?? assert.fail(context));

        if (outcome instanceof ApiError) {
          seen.refused += 1;
          assert.equal(outcome.code, "capacity_exhausted", context);
          assert.deepEqual(effects, before, `a refused write had an effect: ${context}`);
          continue;
        }
        if (outcome instanceof Error) assert.fail(`${outcome.message}: ${context}`);
        assert.equal(effects.keys, before.keys + 1, `not one record: ${context}`);
        if (write.table !== undefined) {
          assert.equal(effects.rows, before.rows + 1, `not one effect: ${context}`);
        }
        const recorded = JSON.parse(record?.body ?? assert.fail(context)) as { id?: string };
        if ("status" in outcome && outcome.status === "RECORDED") {
          seen.recorded += 1;
          const { id } = outcome as { id?: string | null };
          if (id !== null) seen.withId += 1;
          assert.equal(id ?? recorded.id, recorded.id, `the id of another record: ${context}`);
        } else {
          seen.answered += 1;
          assert.deepEqual(outcome, recorded, `not the recorded answer: ${context}`);
        }
      }
      t.diagnostic(JSON.stringify(seen));
      assert.ok(seen.recorded > 0 && seen.unknown > 0 && seen.refused > 0);
    });

    test("every invariant holds afterwards", () => assertInvariants(harness.service.core.db));
  });
}

function settled(write: Promise<object>): Promise<object> {
  return write.catch((error: unknown) => (error instanceof Error ? error : new Error("no error")));
}
