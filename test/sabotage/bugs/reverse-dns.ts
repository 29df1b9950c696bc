import type { PlantedBug } from "../planted-bug.ts";

const server = "packages/server/src";
const publish = "test/reverse-dns/publish.test.ts";
const outages = "test/reverse-dns/outages.test.ts";
const instances = "test/reverse-dns/instances.test.ts";

/** Publishing reverse DNS. */
export const reverseDnsBugs: readonly PlantedBug[] = [
  {
    name: "lease-outlived-by-the-pass",
    thought: "The pass has taken its lease at the start of the zone.",
    file: `${server}/features/reverse-dns/send-changes.ts`,
    find: "  await run.proceed();\n",
    replace: "",
    tests: [instances],
  },
  {
    name: "lease-of-a-faster-clock-is-void",
    thought: "A lease cannot end later than one that starts now.",
    file: `${server}/kernel/reverse-dns/pass-lease.ts`,
    find: "now + 2 * leaseMs",
    replace: "now + leaseMs",
    tests: [instances],
  },
  {
    name: "record-of-a-crash-is-forgotten",
    thought: "What was published last is already on record.",
    file: `${server}/features/reverse-dns/reconcile-zone.ts`,
    find: 'found: found[0] ?? "",',
    replace: 'found: found.length > 8 ? "" : ptr.published,',
    tests: [instances],
  },
  {
    name: "attempt-is-not-ours",
    thought: "Only what was recorded as published is ours.",
    file: `${server}/features/reverse-dns/plan-changes.ts`,
    find: "only === published || only === attempted;",
    replace: 'only === published || (attempted === "" && only === attempted);',
    tests: [instances],
  },
  {
    name: "next-customer-sees-the-old-name",
    thought: "The next pass asks the name servers again anyway.",
    file: `${server}/kernel/reverse-dns/track-ptrs.ts`,
    find: '        answered: "",\n        seen_at: null,\n',
    replace: "",
    tests: [publish],
  },
  {
    name: "released-record-stays",
    thought: "The record is replaced when the address is assigned again.",
    file: `${server}/kernel/addresses.ts`,
    find: "    await markPtr(tx, address, core.clock.now());\n",
    replace: "",
    tests: [publish],
  },
  {
    name: "foreign-record-is-replaced",
    thought: "The address is ours, so its record is too.",
    file: `${server}/features/reverse-dns/plan-changes.ts`,
    find: 'return found.length <= 1 && isOurs ? "change" : "foreign";',
    replace: 'return found.length <= 1 || isOurs ? "change" : "foreign";',
    tests: [publish],
  },
  {
    name: "change-during-a-pass-is-lost",
    thought: "A change makes the record due, which is enough.",
    file: `${server}/kernel/reverse-dns/track-ptrs.ts`,
    find: '.set((eb) => ({ ...dueFrom(now), revision: eb("revision", "+", 1) }))',
    replace: ".set(() => dueFrom(now))",
    tests: [outages],
  },
  {
    name: "refused-question-means-cleared",
    thought: "A name server that refuses has no such record.",
    file: `${server}/adapters/dns-powerdns/ask-name-server.ts`,
    find: '["ENOTFOUND", "ENODATA"];',
    replace: '["ENOTFOUND", "ENODATA", "EREFUSED"];',
    tests: [outages],
  },
  {
    name: "bad-name-fails-the-batch",
    thought: "The server says which change it refuses.",
    file: `${server}/features/reverse-dns/send-changes.ts`,
    find: "    if (ptrs.length === 1) {",
    replace: "    if (ptrs.length > 0) {",
    tests: [outages],
  },
];
