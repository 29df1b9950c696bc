import type { PlantedBug } from "../planted-bug.ts";

const adapter = "packages/server/src/adapters/chain-monero";

const payouts = ["test/chains/monero-payouts.test.ts"];

/** Payments in Monero. */
export const moneroBugs: readonly PlantedBug[] = [
  {
    name: "sender-lock-ignored",
    thought: "A payment with ten confirmations can be spent.",
    file: `${adapter}/unlock-time.ts`,
    find: "unlockTime > tip.height + 1 : unlockTime > time",
    replace: "false : unlockTime > time",
    tests: [`${adapter}/unlock-time.test.ts`],
  },
  {
    name: "monero-amounts-rounded",
    thought: "JSON.parse reads every amount.",
    file: `${adapter}/rpc.ts`,
    find: "return /^\\d{1,20}$/.test(source) ? BigInt(source) : value;",
    replace: "return value;",
    tests: [`${adapter}/rpc.test.ts`],
  },
  {
    name: "login-nonce-kept",
    thought: "A login is good until the server restarts.",
    file: `${adapter}/rpc.ts`,
    find: "      ({ challenge } = reply);",
    replace: "      challenge ??= reply.challenge;",
    tests: [`${adapter}/rpc.test.ts`],
  },
  {
    name: "monero-commitment-ignored",
    thought: "The decrypted amount is what the output is worth.",
    file: `${adapter}/payment-outputs.ts`,
    find: "isPoint(Point.BASE.multiply(mask).add(value), output.commitment) ? amountUnits : undefined",
    replace: "Point.BASE.multiply(mask).add(value).is0() ? undefined : amountUnits",
    tests: [`${adapter}/payment-outputs.test.ts`],
  },
  {
    name: "monero-unfindable-output-accepted",
    thought: "The transaction key proves the payment.",
    file: `${adapter}/payment-outputs.ts`,
    find: "if (scalar === 0n || !isPoint(base.multiply(scalar), published)) continue;",
    replace: "if (scalar === 0n || isPoint(base, published)) continue;",
    tests: [`${adapter}/payment-outputs.test.ts`],
  },
  {
    name: "monero-foreign-output-accepted",
    thought: "A transaction that pays the order is good.",
    file: `${adapter}/payout-difference.ts`,
    find: "return explained.size === transaction.outputs.length",
    replace: "return explained.size <= transaction.outputs.length",
    tests: [`${adapter}/payout-difference.test.ts`],
  },
  {
    name: "wallet-pinned-for-ever",
    thought: "The pins of a confirmed payout do no harm.",
    file: "packages/server/src/features/payouts/end-payout.ts",
    find: '.where("pin", "=", walletPin)',
    replace: '.where("pin", "=", `another ${walletPin}`)',
    tests: payouts,
  },
];
