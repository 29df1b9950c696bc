import { systemRandom } from "#server/adapters/system/random.ts";
import { createWebhookPost } from "#server/adapters/webhook-post/webhook-post.ts";
import { createSealing } from "#server/adapters/system/sealing.ts";
import { createStatementSigning } from "#server/adapters/system/statement-signing.ts";
import {
  defaultGraceMs,
  defaultLeaseMs,
  defaultKeepDeliveriesMs,
  defaultKeepProofsMs,
  defaultOperatorRateMs,
  type Client,
  type Core,
  type Rules,
} from "#server/kernel/core.ts";
import { openBalance } from "#server/kernel/ledger.ts";
import type { PasswordHash } from "#server/ports/password-hash.ts";
import { ok } from "#server/kernel/result.ts";
import { defaultWorkTargetsMs } from "#server/work-settings.ts";
import type { Sealing } from "#server/ports/sealing.ts";

// Separate from `core.ts`, so that programs that are not tests load no test runner.

export const testRules: Rules = {
  sessionIdleMs: 2 * 3_600_000,
  sessionTotalMs: 12 * 3_600_000,
  rateLimits: undefined,
  graceMs: defaultGraceMs,
  leaseMs: defaultLeaseMs,
  twoOperatorsFromCents: 500_000,
  workTargetsMs: defaultWorkTargetsMs,
  openActions: { perServer: 20, perAccount: 100 },
  operatorRateMs: defaultOperatorRateMs,
  keepDeliveriesMs: defaultKeepDeliveriesMs,
  keepProofsMs: defaultKeepProofsMs,
  keepAddressesMs: undefined,
  needsSecondFactor: false,
  webhookNetworks: ["127.0.0.0/8"],
};

/** Posts to receivers on this machine only. */
export const testWebhookPost = createWebhookPost({ allowed: testRules.webhookNetworks });

/** The client in audit entries. */
export const testClient: Client = { ipAddress: "192.0.2.1", userAgent: "test" };

let accounts = 0;

/** An account with an empty balance, without the cost of a registration. */
export async function register(
  core: Core,
  username = `user${(accounts += 1)}`,
): Promise<{ accountId: string; username: string }> {
  const accountId = core.ids.next("account");
  await core.db.write(async (tx) => {
    await tx
      .insertInto("accounts")
      .values({
        id: accountId,
        username,
        password_hash: "",
        recovery_hash: "",
        created_at: core.clock.now(),
      })
      .execute();
    await openBalance(tx, accountId);
    return ok();
  });
  return { accountId, username };
}

/** Stores passwords unhashed, because hashing is slow and these tests do not concern it. */
export const plainPasswords: PasswordHash = {
  hash: async (password) => ok(`plain ${password}`),
  verify: async (password, stored) => ok(stored === `plain ${password}`),
};

/** Instances on the same data share one key. */
export const testStatementSigning = createStatementSigning(async () => [systemRandom.bytes(32)]);

export const testSealing = sealingWith(systemRandom.bytes(32));

export function sealingWith(...keys: readonly Buffer[]): Sealing {
  return createSealing(async () => keys);
}
