import { describe } from "node:test";
import { forEachEngine } from "#test/engines.ts";
import { moneroPayouts } from "./monero-payouts.ts";
import { disturbedPayouts } from "./disturbed-payouts.ts";
import { paymentsByHand } from "./payments-by-hand.ts";
import { paidWithdrawals } from "./paid-withdrawals.ts";

const { name, skip } = moneroPayouts.kind;

forEachEngine((engine) => {
  describe(`payouts through ${name}`, { skip }, () => {
    paymentsByHand(moneroPayouts, engine);
    paidWithdrawals(moneroPayouts, engine);
    disturbedPayouts(moneroPayouts, engine);
  });
});
