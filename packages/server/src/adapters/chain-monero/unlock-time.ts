import type { DaemonInfo } from "./monero-daemon.ts";

/** Below it an unlock time is a height, from it on a time in seconds. */
const firstTime = 500_000_000n;

/** Whether the receiver cannot spend an output in the next block because its sender locked it. */
export function isLocked(unlockTime: bigint, { tip, time }: Pick<DaemonInfo, "tip" | "time">) {
  return unlockTime < firstTime ? unlockTime > tip.height + 1 : unlockTime > time;
}
