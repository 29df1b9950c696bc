import { createArgon2 } from "#adapters/system/argon2.ts";
import { systemClock } from "#adapters/system/clock.ts";
import { eventLoopPacer } from "#adapters/system/event-loop-pacer.ts";
import { keyLocation, readKeys } from "#adapters/system/key-file.ts";
import { systemRandom } from "#adapters/system/random.ts";
import { webauthn } from "#adapters/webauthn/webauthn.ts";
import { createWebhookPost } from "#adapters/webhook-post/webhook-post.ts";
import { createSealing } from "#adapters/system/sealing.ts";
import { createStatementSigning } from "#adapters/system/statement-signing.ts";
import type { Config } from "#config.ts";
import { createSignal } from "#kernel/concurrency/signal.ts";
import {
  defaultKeepDeliveriesMs,
  defaultLeaseMs,
  defaultOperatorRateMs,
  type Core,
  type ReverseDns,
  type Rules,
} from "#kernel/core.ts";
import type { HardwareTimes } from "#kernel/hardware.ts";
import { createIds } from "#kernel/ids.ts";
import { createLastUse } from "#kernel/access/last-use.ts";
import type { Clock } from "#ports/clock.ts";
import type { Db } from "#ports/db.ts";
import type { PasswordHash } from "#ports/password-hash.ts";
import type { Random } from "#ports/random.ts";
import type { Settlement } from "#ports/settlement.ts";
import type { WebhookPost } from "#ports/webhook-post.ts";
import { createMail } from "./create-mail.ts";
import { createHardware } from "./create-hardware.ts";
import { createSettlement } from "./create-settlement.ts";
import { connectDns } from "./dns-file.ts";
import { tracedWrites } from "./traced-writes.ts";
import type { Speed } from "./speed.ts";

/** Ports that a test may replace. */
export interface Overrides {
  readonly clock?: Clock;
  readonly random?: Random;
  readonly passwords?: PasswordHash;
  readonly speed?: Speed;
  readonly hardwareTimes?: HardwareTimes;
  readonly settlement?: (connected: Settlement) => Settlement;
  readonly postWebhook?: WebhookPost;
}

/** Wires the ports that use cases need, over a migrated database. */
export function createCore(
  config: Config,
  db: Db,
  overrides: Overrides = {},
  onUnstoredUse?: (error: unknown) => void,
): Core {
  const { clock = systemClock, random = systemRandom } = overrides;
  const { settlement, rates, operatorRateMs } = createSettlement(config, { db, clock, random });
  const override = overrides.settlement ?? ((connected) => connected);
  return {
    db: tracedWrites(db),
    clock,
    random,
    ids: createIds(clock, random),
    passwords: overrides.passwords ?? createArgon2(),
    sealing: createSealing(() => readKeys(keyLocation(config.secretFile, config.data))),
    statementSigning: createStatementSigning(() =>
      readKeys(keyLocation(config.statementKeyFile, config.data, "statement.key")),
    ),
    settlement: settlement && override(settlement),
    rates,
    reverseDns: reverseDnsOf(config),
    webauthn,
    postWebhook:
      overrides.postWebhook ?? createWebhookPost({ allowed: config.webhookNetworks ?? [] }),
    mail: createMail(config),
    hardware: createHardware(config, overrides.hardwareTimes),
    lastUse: createLastUse(onUnstoredUse),
    catalogueCache: { catalogue: undefined },
    pacer: eventLoopPacer,
    rules: { ...rulesOf(config), ...(operatorRateMs !== undefined && { operatorRateMs }) },
  };
}

/** Commands work on the database and need no DNS server. */
function reverseDnsOf({ dns, mode }: Config): ReverseDns | undefined {
  if (dns === undefined || mode === "command") return undefined;
  return { dns: connectDns(dns), changes: createSignal() };
}

function rulesOf(config: Config): Rules {
  const { signInPerAddressAndUsername, signInPerAddress } = config;
  const { registrationPerAddress, secondFactorPerOperator, messagesPerAccount } = config;
  const { contactCodes, contactConfirmations, exportsPerAccount } = config;
  const { recoveryPerAddressAndUsername, recoveryPerAddress } = config;
  return {
    sessionIdleMs: config.sessionIdleMs,
    sessionTotalMs: config.sessionTotalMs,
    graceMs: config.graceMs,
    leaseMs: defaultLeaseMs,
    twoOperatorsFromCents: config.twoOperatorsFromCents,
    workTargetsMs: config.workTargetsMs,
    openActions: {
      perServer: config.openActionsPerServer,
      perAccount: config.openActionsPerAccount,
    },
    operatorRateMs: defaultOperatorRateMs,
    keepDeliveriesMs: defaultKeepDeliveriesMs,
    keepProofsMs: config.keepProofsMs,
    keepAddressesMs: config.keepAddressesMs,
    webhookNetworks: config.webhookNetworks ?? [],
    needsSecondFactor: config.mode === "serve",
    rateLimits:
      config.authLimits === "off"
        ? undefined
        : {
            signInPerAddressAndUsername,
            signInPerAddress,
            registrationPerAddress,
            recoveryPerAddressAndUsername,
            recoveryPerAddress,
            secondFactorPerOperator,
            secondFactorPerAccount: secondFactorPerOperator,
            messagesPerAccount,
            exportsPerAccount,
            contactCodes,
            contactConfirmations,
          },
  };
}
