import { describe } from "node:test";
import { forEachEngine } from "#test/engines.ts";
import { litecoinPayouts } from "./litecoin-payouts.ts";
import { disturbedPayouts } from "./disturbed-payouts.ts";
import { killedBroadcasts, killedSteps } from "./killed-payouts.ts";
import { paymentsByHand } from "./payments-by-hand.ts";
import { paidWithdrawals } from "./paid-withdrawals.ts";

const { name, skip } = litecoinPayouts.kind;

forEachEngine((engine) => {
  describe(`payouts through ${name}`, { skip }, () => {
    paymentsByHand(litecoinPayouts, engine);
    paidWithdrawals(litecoinPayouts, engine);
    disturbedPayouts(litecoinPayouts, engine);
    killedBroadcasts(litecoinPayouts, engine);
    killedSteps(litecoinPayouts, engine);
  });
});
