import { stillHeld } from "./held-connections.ts";
import { openLoopDuring } from "./loops.ts";
import { until } from "./poll.ts";
import type { Place } from "./place.ts";
import { count } from "./sender.ts";
import { openIdle, slowKinds, type SlowClient, type SlowKind } from "./slow-clients.ts";
import { unexpectedIn } from "./sustained.ts";
import { describe, Tally } from "./tally.ts";

export interface CrowdOptions {
  readonly perSecond: number;
  readonly ofEachKind: number;
  readonly idle: number;
  readonly withinMs: number;
  readonly say: (line: string) => void;
}

const openTogether = 50;

/** Clients of every slow kind at once, until the service has let go of all, while others are served. */
export async function crowd(place: Place, options: CrowdOptions): Promise<readonly string[]> {
  const { perSecond, ofEachKind, idle, withinMs, say } = options;
  const { daemon, ca, sender, random } = place;
  const target = { url: daemon.url, ca };
  const names = Object.keys(slowKinds) as SlowKind[];
  const openers = [
    ...names.flatMap((name) => Array.from({ length: ofEachKind }, () => slowKinds[name])),
    ...Array.from({ length: idle }, () => openIdle),
  ];
  const tally = new Tally();
  const clients: SlowClient[] = [];
  let most = 0;
  const work = async () => {
    for (let at = 0; at < openers.length; at += openTogether) {
      const some = openers.slice(at, at + openTogether);
      clients.push(...(await Promise.all(some.map((open) => open(target)))));
    }
    let left = stillHeld(daemon.url, clients);
    most = left.length;
    const areGone = () => {
      // From those left only: the port of one that has gone may be somebody else's by now.
      left = stillHeld(daemon.url, left);
      return left.length === 0;
    };
    await until("all slow clients are let go", areGone, withinMs);
  };
  await openLoopDuring(sender, random, perSecond, work, (outcome) => count(tally, outcome));
  for (const client of clients) client.destroy();
  say(`${clients.length} slow clients, ${most} of them held at once, all let go`);
  say(`  others meanwhile: ${describe(tally.percentiles())}`);
  return unexpectedIn(tally, "beside slow clients");
}
