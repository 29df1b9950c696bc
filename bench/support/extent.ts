/** `--brief` runs everything for moments and on little, to see that it still runs: its ratios say nothing. */
const isBrief = process.argv.includes("--brief");

export const extent = {
  /** How long to measure something that deserves so many seconds. */
  seconds: (wanted: number): number => (isBrief ? wanted / 100 : wanted),
  rounds: isBrief ? 1 : 5,
  machines: isBrief ? 2_000 : 100_000,
  dueServers: isBrief ? 50 : 100_000,
  ledgerSizes: isBrief ? [1_000, 2_000] : [1_000, 10_000, 100_000, 1_000_000],
  /** Who does everything once. */
  customers: isBrief ? 10 : 3_000,
  /** Machines for their orders, and for those of `pgbench`. */
  orderable: isBrief ? 5_000 : 50_000,
  /** Accounts and servers besides those that are asked for. */
  others: isBrief ? 100 : 100_000,
};
