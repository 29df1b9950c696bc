import { eraseOldAddresses } from "#kernel/audit.ts";
import { sweepSessions } from "#kernel/access/account-sessions.ts";
import { sweepOperatorSessions } from "#kernel/access/operator-sessions.ts";
import { sweepNetworks } from "#kernel/access/seen-networks.ts";
import { sweepChallenges } from "#kernel/passkeys/challenges.ts";
import type { Core } from "#kernel/core.ts";
import { dateOf, sweepChunks } from "#kernel/liability-trees.ts";
import { sweepMails } from "#kernel/mails.ts";
import { sweepRateLimits } from "#kernel/rate-limits.ts";
import { endLapsedRuns } from "#kernel/hardware-runs.ts";
import { sweepDeliveries } from "#kernel/outbox/deliveries.ts";
import { eraseSealedTexts } from "#kernel/sealed-texts.ts";
import { reopenLapsedWork } from "#kernel/work-queue/items.ts";
import { ok } from "#kernel/result.ts";

export interface Swept {
  readonly sessions: number;
  readonly operatorSessions: number;
  readonly rateLimits: number;
  readonly passkeyChallenges: number;
  readonly leases: number;
  readonly sealedTexts: number;
  readonly deliveries: number;
  readonly mails: number;
  readonly networks: number;
  readonly runs: number;
  readonly liabilityChunks: number;
  readonly auditAddresses: number;
}

/** Small enough that no request waits for it. The next sweep takes the rest. */
const batch = 500;

/**
 * Deletes expired sessions, rate-limit windows, unanswered challenges, old deliveries, old mails, unused networks and
 * old proofs of liabilities, reopens work whose
 * lease has expired, ends lost runs, and erases expired ciphertexts and old addresses. No behaviour depends on it, because every reader of
 * these rows checks their time.
 */
export async function sweep(core: Core): Promise<Swept> {
  const { db, clock, rules } = core;
  const now = clock.now();
  const idleSince = now - rules.sessionIdleMs;
  const result = await db.write(async (tx) =>
    ok({
      sessions: await sweepSessions(tx, idleSince, batch),
      operatorSessions: await sweepOperatorSessions(tx, idleSince, batch),
      rateLimits: await sweepRateLimits(tx, now, batch),
      passkeyChallenges: await sweepChallenges(tx, now, batch),
      leases: await reopenLapsedWork(tx, now, batch),
      sealedTexts: await eraseSealedTexts(tx, now, batch),
      deliveries: await sweepDeliveries(tx, now - rules.keepDeliveriesMs, batch),
      mails: await sweepMails(tx, now, batch),
      networks: await sweepNetworks(tx, now, batch),
      runs: await endLapsedRuns({ tx, core }, batch),
      liabilityChunks: await sweepChunks(tx, dateOf(now - rules.keepProofsMs), batch),
      auditAddresses:
        rules.keepAddressesMs === undefined
          ? 0
          : await eraseOldAddresses(tx, now - rules.keepAddressesMs, batch),
    }),
  );
  if (!result.ok) throw new Error("a sweep never refuses");
  return result.value;
}
