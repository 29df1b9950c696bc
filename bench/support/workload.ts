/** `--brief` only checks that the benchmarks run: short measurements, little data, meaningless ratios. */
const isBrief = process.argv.includes("--brief");

export const workload = {
  /** Shortens a measurement in a brief run. */
  seconds: (wanted: number): number => (isBrief ? wanted / 100 : wanted),
  rounds: isBrief ? 1 : 5,
  starts: isBrief ? 1 : 3,
  /** Rounds that are not counted, because a service is slow for its first seconds only. */
  warmUpRounds: isBrief ? 1 : 4,
  machines: isBrief ? 300 : 100_000,
  dueServers: isBrief ? 50 : 100_000,
  ledgerSizes: isBrief ? [1_000, 2_000] : [1_000, 10_000, 100_000, 1_000_000],
  /** Each makes every write once. */
  customers: isBrief ? 4 : 4_500,
  /** Sessions of each reader. 20 is the limit per account: another sign-in would end the oldest one. */
  sessions: isBrief ? 2 : 20,
  /** Machines for the customers' orders and for those of `pgbench`. */
  orderableMachines: isBrief ? 600 : 50_000,
  /** Customers who share the requests whose cost is measured. */
  costCustomers: isBrief ? 2 : 8,
  /** Machines and accounts that the overview counts. */
  overviewSizes: isBrief ? [10, 100] : [100, 100_000],
  /** Accounts and servers that no request reads. */
  unreadRows: isBrief ? 100 : 100_000,
  /** Blocks of a real chain, and addresses that none of them pays. */
  scannedBlocks: isBrief ? 5 : 200,
  knownAddresses: isBrief ? 100 : 100_000,
  issuedAddresses: isBrief ? 5 : 200,
  statementEntries: isBrief ? 500 : 100_000,
  webhookMessages: isBrief ? 20 : 10_000,
  webhookEndpoints: isBrief ? 2 : 100,
  /** Orders of one customer in a round. */
  webhookOrders: isBrief ? 2 : 300,
};
