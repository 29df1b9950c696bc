import { stillOpen } from "./open-connections.ts";
import { openLoopDuring } from "./loops.ts";
import { until } from "./poll.ts";
import type { TestBed } from "./test-bed.ts";
import { recordOutcome } from "./sender.ts";
import { openIdle, slowKinds, type SlowClient, type SlowKind } from "./slow-clients.ts";
import { unexpectedOutcomes } from "./sustained.ts";
import { formatPercentiles, Tally } from "./tally.ts";

export interface SlowClientAttackOptions {
  readonly perSecond: number;
  readonly perKind: number;
  readonly idle: number;
  readonly withinMs: number;
  readonly log: (line: string) => void;
}

const openBatchSize = 50;

/**
 * Opens slow clients of every kind, sends ordinary requests at the same time, and waits until the service
 * has closed every slow connection.
 */
export async function slowClientAttack(
  testBed: TestBed,
  options: SlowClientAttackOptions,
): Promise<readonly string[]> {
  const { perSecond, perKind, idle, withinMs, log } = options;
  const { daemon, ca, sender, random } = testBed;
  const target = { url: daemon.url, ca };
  const names = Object.keys(slowKinds) as SlowKind[];
  const openers = [
    ...names.flatMap((name) => Array.from({ length: perKind }, () => slowKinds[name])),
    ...Array.from({ length: idle }, () => openIdle),
  ];
  const tally = new Tally();
  const clients: SlowClient[] = [];
  let openAtOnce = 0;
  const work = async () => {
    for (let at = 0; at < openers.length; at += openBatchSize) {
      const batch = openers.slice(at, at + openBatchSize);
      clients.push(...(await Promise.all(batch.map((open) => open(target)))));
    }
    let remaining = stillOpen(daemon.url, clients);
    openAtOnce = remaining.length;
    const areClosed = () => {
      // Check only the remaining clients: another connection may reuse the port of a closed one.
      remaining = stillOpen(daemon.url, remaining);
      return remaining.length === 0;
    };
    await until("the service has closed all slow connections", areClosed, withinMs);
  };
  await openLoopDuring(sender, random, perSecond, work, (outcome) => recordOutcome(tally, outcome));
  for (const client of clients) client.destroy();
  log(`${clients.length} slow clients, ${openAtOnce} of them open at once, all closed`);
  log(`  ordinary requests meanwhile: ${formatPercentiles(tally.percentiles())}`);
  return unexpectedOutcomes(tally, "with slow clients");
}
