import { generateKeyPairSync } from "node:crypto";
import { ok } from "#kernel/result.ts";
import { openSealed } from "#kernel/sealed-secrets.ts";
import {
  OrderFailed,
  type CertificateAuthority,
  type IssuedCertificate,
} from "#ports/certificate-authority.ts";
import { addChallenge, removeChallenges } from "./challenges.ts";
import { keyOf, type CertificateCore, type CertificateScope } from "./scope.ts";
import { contextOf, readCertificate, readState } from "./stored-certificate.ts";

/** An order that takes longer has failed. */
const orderTimeoutMs = 3 * 60_000;
/** Longer than an order may take. An instance that dies delays the others this long. */
const leaseMs = 5 * 60_000;
/** After a failure, doubled for each further one. */
const firstPauseMs = 60_000;
const longestPauseMs = 6 * 3_600_000;
/** The authority may ask for more, up to this. */
const longestRetryAfterMs = 24 * 3_600_000;

/** No certificate was issued. The current one stays in use. */
class RenewalFailed extends Error {
  override readonly name = "RenewalFailed";
}

/**
 * Orders a certificate when there is none, and when two thirds of its life are over. Of several instances, one orders.
 * Returns the current certificate, which another instance may have ordered.
 */
export async function keepCertificate(
  core: CertificateCore,
  authority: CertificateAuthority,
  scope: CertificateScope,
  {
    known,
    stop,
  }: { readonly known?: IssuedCertificate | undefined; readonly stop?: AbortSignal } = {},
): Promise<IssuedCertificate | undefined> {
  const now = core.clock.now();
  const state = await readState(core.db.read, scope);
  if (state === undefined || state.dueAt <= now) {
    const holder = core.random.bytes(16).toString("hex");
    if (await claimOrder(core, scope, holder))
      await placeOrder(core, authority, scope, holder, stop);
  }
  return readCertificate(core, scope, known);
}

/** False when no order is due, or another instance has it. */
async function claimOrder(
  { db, clock }: CertificateCore,
  scope: CertificateScope,
  holder: string,
): Promise<boolean> {
  const now = clock.now();
  const claimed = await db.write(async (tx) => {
    await tx
      .insertInto("acme_certificates")
      .values({ ...keyOf(scope), failures: 0, due_at: 0, leased_until: 0 })
      .onConflict((conflict) => conflict.columns(["directory", "names"]).doNothing())
      .execute();
    const { numUpdatedRows } = await tx
      .updateTable("acme_certificates")
      .set({ leased_by: holder, leased_until: now + leaseMs })
      .where("directory", "=", scope.directory)
      .where("names", "=", keyOf(scope).names)
      .where("due_at", "<=", now)
      .where("leased_until", "<=", now)
      .executeTakeFirst();
    return ok(numUpdatedRows === 1n);
  });
  return claimed.ok && claimed.value;
}

async function placeOrder(
  core: CertificateCore,
  authority: CertificateAuthority,
  scope: CertificateScope,
  holder: string,
  stop: AbortSignal | undefined,
): Promise<void> {
  const tokens: string[] = [];
  const timeout = AbortSignal.timeout(orderTimeoutMs);
  try {
    const issued = await authority.order({
      names: scope.names,
      accountKeyPem: await accountKey(core, scope),
      answerChallenge: async (token, answer) => {
        tokens.push(token);
        await addChallenge(core, token, answer);
      },
      signal: stop === undefined ? timeout : AbortSignal.any([timeout, stop]),
    });
    await store(core, scope, holder, issued);
  } catch (error) {
    if (stop?.aborted === true) return await endLease(core, scope, holder);
    if (!(error instanceof OrderFailed)) throw error;
    await recordFailure(core, scope, holder, error);
  } finally {
    await removeChallenges(core, tokens);
  }
}

/** The key that identifies us to the authority. All instances share it. */
async function accountKey(core: CertificateCore, { directory }: CertificateScope): Promise<string> {
  const { db, clock, sealing } = core;
  const context = `acme-account:${directory}`;
  const read = () =>
    db.read
      .selectFrom("acme_accounts")
      .select("private_key as sealed")
      .where("directory", "=", directory)
      .executeTakeFirst();
  const found = await read();
  const opened = found && (await openSealed(core, found.sealed, context));
  if (found !== undefined && opened !== undefined) {
    if (await sealing.isCurrent(found.sealed)) return opened;
  }
  // A key that cannot be opened is replaced: the authority then sees a new account.
  const created = opened ?? newKey();
  const private_key = await sealing.seal(created, context);
  await db.write(async (tx) => {
    await tx
      .insertInto("acme_accounts")
      .values({ directory, private_key, created_at: clock.now() })
      .onConflict((conflict) => conflict.column("directory").doUpdateSet({ private_key }))
      .execute();
    return ok();
  });
  return created;
}

function newKey(): string {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return privateKey.export({ type: "pkcs8", format: "pem" });
}

async function store(
  core: CertificateCore,
  scope: CertificateScope,
  holder: string,
  { certificatePem, keyPem, startsAt, expiresAt }: IssuedCertificate,
): Promise<void> {
  const private_key = await core.sealing.seal(keyPem, contextOf(scope));
  const now = core.clock.now();
  await update(core, scope, holder, {
    certificate: certificatePem,
    private_key,
    expires_at: expiresAt,
    failures: 0,
    error: null,
    // Never at once, whatever the authority and the clocks say.
    due_at: Math.max(startsAt + Math.round(((expiresAt - startsAt) * 2) / 3), now + firstPauseMs),
    leased_until: 0,
  });
}

async function recordFailure(
  core: CertificateCore,
  scope: CertificateScope,
  holder: string,
  { message, retryAfterMs = 0 }: OrderFailed,
): Promise<never> {
  const { directory, names } = keyOf(scope);
  const { failures } = await core.db.read
    .selectFrom("acme_certificates")
    .select("failures")
    .where("directory", "=", directory)
    .where("names", "=", names)
    .executeTakeFirstOrThrow();
  const pauseMs = Math.max(
    Math.min(firstPauseMs * 2 ** Math.min(failures, 16), longestPauseMs),
    Math.min(retryAfterMs, longestRetryAfterMs),
  );
  const due_at = core.clock.now() + pauseMs;
  const change = { failures: failures + 1, error: message, due_at, leased_until: 0 };
  await update(core, scope, holder, change);
  throw new RenewalFailed(`${message}. The next attempt is at ${new Date(due_at).toISOString()}`);
}

function endLease(core: CertificateCore, scope: CertificateScope, holder: string): Promise<void> {
  return update(core, scope, holder, { leased_until: 0 });
}

/** Nothing, if another instance has taken the lease. */
async function update(
  { db }: CertificateCore,
  scope: CertificateScope,
  holder: string,
  change: {
    readonly certificate?: string;
    readonly private_key?: string;
    readonly expires_at?: number;
    readonly failures?: number;
    readonly error?: string | null;
    readonly due_at?: number;
    readonly leased_until: number;
  },
): Promise<void> {
  const { directory, names } = keyOf(scope);
  await db.write(async (tx) => {
    await tx
      .updateTable("acme_certificates")
      .set(change)
      .where("directory", "=", directory)
      .where("names", "=", names)
      .where("leased_by", "=", holder)
      .execute();
    return ok();
  });
}
