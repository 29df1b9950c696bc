import type { PlantedBug } from "../planted-bug.ts";

const server = "packages/server/src";
const guard = `${server}/kernel/withdrawal-guard.ts`;
const tests = [`${server}/features/withdrawal-addresses/withdrawal-addresses.test.ts`];

/** Locked withdrawals, networks of API keys and the lookup of idempotency keys. */
export const guardBugs: readonly PlantedBug[] = [
  {
    name: "new-address-usable-at-once",
    thought: "A saved address is an address that the customer wants.",
    file: guard,
    find: '    .where("created_at", "<=", now - coolDownMs)\n',
    replace: "",
    tests,
  },
  {
    name: "address-saved-for-another-asset-counts",
    thought: "An address is an address.",
    file: guard,
    find: '    .where("asset", "=", asset)\n    .where("destination", "=", destination)\n',
    replace: '    .where("destination", "=", destination)\n',
    tests,
  },
  {
    name: "unlock-takes-effect-at-once",
    thought: "The customer is signed in, so the lock is theirs to open.",
    file: `${server}/features/withdrawal-addresses/set-lock.ts`,
    find: "    const unlocksAt = locked ? null : now + coolDownMs;\n",
    replace: "    const unlocksAt = locked ? null : now;\n    void coolDownMs;\n",
    tests,
  },
  {
    name: "second-unlock-moves-the-time",
    thought: "The latest request counts.",
    file: `${server}/features/withdrawal-addresses/set-lock.ts`,
    find: "!lock.locked || isUnlocking) return ok(lock);\n",
    replace: "!lock.locked) return ok(lock);\n",
    tests,
  },
  {
    name: "networks-of-a-key-ignored",
    thought: "The key is secret, so it is enough.",
    file: `${server}/features/api-keys/authenticate-api-key.ts`,
    find: "  if (networks !== null && !allowsAddress(networks, ipAddress())) return undefined;\n",
    replace: "  void [networks, allowsAddress, ipAddress];\n",
    tests: [`${server}/features/api-keys/api-keys.test.ts`],
  },
  {
    name: "key-of-another-account-found",
    thought: "Keys are random, so they are unique.",
    file: `${server}/features/idempotency-keys/find-key.ts`,
    find: '    .where("owner_id", "=", accountId)\n    .where("operation", "in", keyedOperations)\n',
    replace: '    .where("operation", "in", keyedOperations)\n',
    tests: [`${server}/features/idempotency-keys/idempotency-keys.test.ts`],
  },
];
