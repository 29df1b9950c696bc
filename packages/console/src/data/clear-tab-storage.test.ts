import assert from "node:assert/strict";
import { test } from "node:test";
import { clearTabStorage } from "./clear-tab-storage.ts";
import { Intents } from "./intents.ts";
import { memoryStorage } from "./memory-storage.ts";

test("at sign-out nothing of the account stays in the tab but what was sent and never answered", () => {
  const kept = memoryStorage();
  const intents = new Intents(kept);
  intents.begin("order", "ada", { configId: "metal-s" });
  intents.refused("withdrawal", intents.begin("withdrawal", "ada", { usd: "5" }));
  kept.setItem("ironlease.draft/ada/order/ssh-key", "ssh-ed25519 AAAA");
  kept.setItem("ironlease.deposit-address/ada/BTC", "{}");
  kept.setItem("ironlease.receipts/srv_1", "[]");
  kept.setItem("ironlease.intent/ada/broken", "{");
  kept.setItem("somebody-else", "theirs");
  clearTabStorage(kept);
  assert.deepEqual(kept.names().toSorted(), ["ironlease.intent/ada/order", "somebody-else"]);
});
