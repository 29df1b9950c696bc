import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parseConfig } from "./config.ts";
import { explorers } from "./setting-readers.ts";

const btc = "https://explorer.example/tx/{transactionId}";

describe("IRONLEASE_EXPLORERS", () => {
  test("has an address for each asset", () => {
    const ltc = "https://ltc.example:8443/?q={transactionId}&lang=en#top";
    assert.deepEqual(explorers(`BTC=${btc}`), { BTC: btc });
    assert.deepEqual(explorers(`BTC=${btc}, LTC=${ltc}`), { BTC: btc, LTC: ltc });
  });

  test("accepts https addresses only, with the placeholder after the host", () => {
    for (const value of [
      "",
      btc,
      `DOGE=${btc}`,
      `btc=${btc}`,
      "BTC=",
      "BTC=https://explorer.example/tx/",
      "BTC=http://explorer.example/tx/{transactionId}",
      "BTC=javascript:alert({transactionId})",
      "BTC=https://{transactionId}.example/tx/",
      "BTC=https://explorer.example{transactionId}/tx/",
      "BTC=https://ada:secret@explorer.example/{transactionId}",
      'BTC=https://explorer.example/"{transactionId}',
      `BTC=${btc},`,
    ]) {
      assert.throws(() => explorers(value), /must be a comma-separated list/, value);
    }
    assert.throws(() => explorers(`BTC=${btc},BTC=${btc}`), /must list each asset once/);
  });

  test("a wrong value stops the start with the name of the setting", () => {
    const env = { IRONLEASE_EXPLORERS: "BTC=http://explorer.example/{transactionId}" };
    assert.throws(() => parseConfig("serve", env), /^ConfigError: IRONLEASE_EXPLORERS must be a/);
  });
});
