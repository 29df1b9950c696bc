import type { PlantedBug } from "../planted-bug.ts";

const server = "packages/server/src";
const tests = ["test/address-reservations.test.ts"];

/** Reserved addresses of deliveries, and checklists. */
export const deliveryBugs: readonly PlantedBug[] = [
  {
    name: "reservation-outlives-its-delivery",
    thought: "The machine's reservation has ended, so nothing is left.",
    file: `${server}/features/servers/abandon-provisioning.ts`,
    find: "  await freeReserved(tx, serverId);\n",
    replace: "  void freeReserved;\n",
    tests,
  },
  {
    name: "delivered-with-other-addresses",
    thought: "Any free address of the region will do.",
    file: `${server}/kernel/addresses.ts`,
    find: "reservedIn(ofFamily, reserved) ?? (await",
    replace: "reservedIn(ofFamily, []) ?? (await",
    tests,
  },
  {
    name: "all-addresses-or-none",
    thought: "Without an IPv4 address nothing can be delivered, so nothing is reserved.",
    file: `${server}/kernel/address-reservations.ts`,
    find: "if (place === undefined) continue;",
    replace: "if (place === undefined) return [];",
    tests,
  },
  {
    name: "customer-as-gateway",
    thought: "The gateway is the first usable address.",
    file: `${server}/kernel/address-places.ts`,
    find: "addressAt(subnet, firstPlace(4) - 1)",
    replace: "addressAt(subnet, firstPlace(4))",
    tests,
  },
  {
    name: "reserved-addresses-stay-reserved",
    thought: "The unique key prevents a second assignment anyway.",
    file: `${server}/kernel/address-reservations.ts`,
    find: '    .deleteFrom("address_reservations")',
    replace:
      '    .updateTable("address_reservations")\n    .set((eb) => ({ place: eb.ref("place") }))',
    tests,
  },
  {
    name: "later-tick-takes-the-credit",
    thought: "Ticking a line again is harmless.",
    file: `${server}/features/work/tick-work.ts`,
    find: "if (job.ticks.some((tick) => tick.line === line) !== ticked) {",
    replace: "if (ticked || job.ticks.some((tick) => tick.line === line)) {",
    tests: [`${server}/features/checklists/checklists.test.ts`],
  },
  {
    name: "search-finds-a-released-address",
    thought: "An address belongs to one server.",
    file: `${server}/features/search/find-address.ts`,
    find: " and released_at is null",
    replace: "",
    tests: ["test/simulation/simulation.test.ts"],
  },
];
