import assert from "node:assert/strict";
import { test } from "node:test";
import { sendEach, type Outcome } from "./send-each.ts";

const items = Array.from({ length: 10 }, (_, index) => index);

async function outcomesOf(
  send: (item: number) => Promise<unknown>,
  stopsAll: (error: unknown) => boolean = () => false,
): Promise<ReadonlyMap<number, Outcome>> {
  const outcomes = new Map<number, Outcome>();
  await sendEach(items, send, (item, outcome) => outcomes.set(item, outcome), stopsAll);
  return outcomes;
}

test("one failure leaves the other writes, and each is sent once", async () => {
  const sent: number[] = [];
  const outcomes = await outcomesOf(async (item) => {
    sent.push(item);
    if (item === 3) throw new Error("refused");
  });
  assert.deepEqual(
    sent.toSorted((a, b) => a - b),
    items,
  );
  assert.deepEqual(
    items.filter((item) => outcomes.get(item)?.kind !== "done"),
    [3],
  );
  assert.equal(outcomes.get(3)?.kind, "failed");
});

test("at most four writes are in flight", async () => {
  let inFlight = 0;
  let most = 0;
  await outcomesOf(async () => {
    inFlight += 1;
    most = Math.max(most, inFlight);
    await Promise.resolve();
    inFlight -= 1;
  });
  assert.equal(most, 4);
});

test("after an error that stops all, the rest is not sent", async () => {
  const outcomes = await outcomesOf(
    async () => {
      throw new Error("session ended");
    },
    () => true,
  );
  assert.equal(
    [...outcomes.values()].filter(({ kind }) => kind === "failed").length,
    outcomes.size,
  );
  assert.ok(outcomes.size <= 4, `${outcomes.size} were sent`);
});
