import type { PlantedBug } from "../planted-bug.ts";

const adapter = "packages/server/src/adapters/chain-monero";

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
];
