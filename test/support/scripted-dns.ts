import type { Dns } from "#server/ports/dns.ts";

/** A DNS server in memory with one foreign record, for tests that are not about DNS. */
export const scriptedDns: Dns = {
  nameServers: ["192.0.2.53"],
  createsZones: true,
  answerMs: 1_000,
  health: async () => ({ version: "0" }),
  readZone: async (zone) => new Map([[`200.${zone}`, ["router.example"]]]),
  createZone: async () => {},
  changeZone: async () => {},
  ask: async () => [],
  isAnswering: async () => true,
};
