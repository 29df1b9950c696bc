import { describe } from "node:test";
import { forEachEngine } from "#test/engines.ts";
import { litecoinPayouts } from "./litecoin-payouts.ts";
import { paidWithdrawals } from "./paid-withdrawals.ts";

const { name, skip } = litecoinPayouts.kind;

forEachEngine((engine) => {
  describe(`payouts through ${name}`, { skip }, () => {
    paidWithdrawals(litecoinPayouts, engine);
  });
});
