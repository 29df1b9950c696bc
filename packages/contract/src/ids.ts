/** Ids are TypeIDs: one of these prefixes and a UUIDv7 in base 32. */
export const idPrefixes = {
  account: "acc",
  session: "ses",
  apiKey: "key",
  sshKey: "ssh",
  ledgerEntry: "led",
  server: "srv",
  assignment: "net",
  order: "ord",
  keychain: "kch",
  depositAddress: "dpa",
  deposit: "dep",
  withdrawal: "wdr",
  action: "act",
  ddosRequest: "ddr",
  thread: "thr",
  message: "msg",
  notice: "ntc",
  work: "wrk",
  operator: "opr",
  machine: "mch",
  subnet: "sub",
  auditEntry: "aud",
  rateEntry: "rte",
  payout: "pay",
} as const;

export type IdKind = keyof typeof idPrefixes;
