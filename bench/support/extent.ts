/** `--brief` runs everything for moments and on little, to see that it still runs: its ratios say nothing. */
const isBrief = process.argv.includes("--brief");

export const extent = {
  /** How long to measure something that deserves so many seconds. */
  seconds: (wanted: number): number => (isBrief ? wanted / 100 : wanted),
  rounds: isBrief ? 1 : 5,
  /** Rounds that come first and are not counted: a service runs for weeks, and is slow for seconds. */
  warmUpRounds: isBrief ? 1 : 4,
  machines: isBrief ? 2_000 : 100_000,
  dueServers: isBrief ? 50 : 100_000,
  ledgerSizes: isBrief ? [1_000, 2_000] : [1_000, 10_000, 100_000, 1_000_000],
  /** Who does everything once. */
  customers: isBrief ? 4 : 4_500,
  /** Of whoever reads: an account may have no more, the first of them ends with the next. */
  sessions: isBrief ? 2 : 20,
  /** Machines for their orders, and for those of `pgbench`. */
  orderable: isBrief ? 5_000 : 50_000,
  /** Accounts and servers besides those that are asked for. */
  others: isBrief ? 100 : 100_000,
};
