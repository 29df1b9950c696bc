import assert from "node:assert/strict";
import { test } from "node:test";
import { clearTabStorage } from "./clear-tab-storage.ts";
import { Intents } from "./intents.ts";
import { memoryStorage } from "./memory-storage.ts";

test("sign-out clears the tab except for unanswered requests", () => {
  const storage = memoryStorage();
  const intents = new Intents(storage);
  intents.begin("order", "ada", { configId: "metal-s" });
  intents.refused("withdrawal", intents.begin("withdrawal", "ada", { usd: "5" }));
  storage.setItem("ironlease.draft/ada/order/ssh-key", "ssh-ed25519 AAAA");
  storage.setItem("ironlease.deposit-address/ada/BTC", "{}");
  storage.setItem("ironlease.receipts/srv_1", "[]");
  storage.setItem("ironlease.intent/ada/broken", "{");
  storage.setItem("other-app", "theirs");
  clearTabStorage(storage);
  assert.deepEqual(storage.names().toSorted(), ["ironlease.intent/ada/order", "other-app"]);
});
