import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Intents, UnansweredIntent } from "./intents.ts";
import { memoryStorage } from "./memory-storage.ts";

const order = { configId: "metal-s", quantity: 1, sshPublicKey: undefined };

describe("one idempotency key per intent", () => {
  test("the same request in the same slot keeps its key, in any field order", () => {
    const intents = new Intents(memoryStorage());
    const first = intents.begin("order", "ada", order);
    const second = intents.begin("order", "ada", { quantity: 1, configId: "metal-s" });
    assert.equal(second.key, first.key);
    assert.deepEqual([first.isLost, second.isLost], [false, true]);
  });

  test("a reload finds the unanswered request with its key", () => {
    const storage = memoryStorage();
    const { key } = new Intents(storage).begin("order", "ada", order);
    const found = new Intents(storage).find("order", "ada");
    assert.deepEqual([found?.state, found?.key], ["sent", key]);
    assert.deepEqual(new Intents(storage).begin("order", "ada", order).key, key);
  });

  test("a different request must wait for the answer", () => {
    const intents = new Intents(memoryStorage());
    const first = intents.begin("order", "ada", order);
    assert.throws(() => intents.begin("order", "ada", { ...order, quantity: 2 }), UnansweredIntent);
    intents.settled("order", "ada");
    assert.notEqual(intents.begin("order", "ada", { ...order, quantity: 2 }).key, first.key);
  });

  test("after an answer the same request gets a new key", () => {
    const intents = new Intents(memoryStorage());
    const first = intents.begin("order", "ada", order);
    intents.settled("order", "ada");
    assert.notEqual(intents.begin("order", "ada", order).key, first.key);
  });

  test("after a refusal the same request keeps its key, and a different one may start", () => {
    const intents = new Intents(memoryStorage());
    const first = intents.begin("order", "ada", order);
    intents.refused("order", first);
    const again = intents.begin("order", "ada", order);
    assert.deepEqual([again.key, again.isLost], [first.key, false]);
    intents.refused("order", again);
    assert.notEqual(intents.begin("order", "ada", { ...order, quantity: 2 }).key, first.key);
  });

  test("a lost answer is remembered through a refusal, because an earlier attempt may still arrive", () => {
    const intents = new Intents(memoryStorage());
    intents.lost("order", intents.begin("order", "ada", order));
    const second = intents.begin("order", "ada", order);
    intents.refused("order", second);
    assert.equal(intents.begin("order", "ada", order).isLost, true);
  });

  test("another account in the same tab neither sees nor uses an intent", () => {
    const intents = new Intents(memoryStorage());
    const first = intents.begin("order", "ada", order);
    assert.equal(intents.find("order", "bob"), undefined);
    assert.notEqual(intents.begin("order", "bob", order).key, first.key);
    assert.equal(intents.find("order", "ada")?.key, first.key);
  });
});
