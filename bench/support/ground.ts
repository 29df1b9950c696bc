import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addSubnet } from "../../packages/server/src/kernel/subnets.ts";
import type { Core } from "../../packages/server/src/kernel/core.ts";
import { normalizeRecoveryCode } from "../../packages/server/src/kernel/readable-code.ts";
import { hashSecret } from "../../packages/server/src/kernel/secrets.ts";
import { beginSession } from "../../packages/server/src/kernel/session-secrets.ts";
import { accountCookies, operatorCookies } from "../../packages/server/src/http/cookies.ts";
import { ok } from "../../packages/server/src/ports/result.ts";
import { addTestOperator } from "../../test/support/operators.ts";
import { databaseUrl as urlOf, runStatement } from "../../test/support/template-database.ts";
import { stockUp, withCore } from "./rental.ts";

/** A database that nobody is using yet. */
export interface Ground {
  readonly data: string;
  readonly databaseUrl: string | undefined;
  remove(): Promise<void>;
}

/** What a signed-in request brings along. */
export interface SignedIn {
  readonly cookie: string;
  readonly csrfToken: string;
}

/** Who can be met on a ground and on each of its copies. */
export interface Cast {
  readonly customers: readonly Customer[];
  readonly operator: SignedIn;
}

export interface Customer {
  readonly accountId: string;
  readonly username: string;
  /** One to use, one to sign out of, and one to be revoked. */
  readonly sessions: readonly [SignedIn, SignedIn, SignedIn];
}

export const customersPassword = "a long pass phrase";
export const recoveryCode = "00000-11111-22222-33333-44444";
const noone = { ipAddress: "127.0.0.1", userAgent: "bench" };
const cents = 10_000_000;
let grounds = 0;

/** An empty database, or a copy; on the server if there is one. */
async function makeGround(serverUrl: string | undefined, template?: Ground): Promise<Ground> {
  const data = mkdtempSync(join(tmpdir(), "ironlease-bench-"));
  const removeFolder = () => rmSync(data, { recursive: true, force: true });
  if (serverUrl === undefined) {
    if (template !== undefined) cpSync(template.data, data, { recursive: true });
    return { data, databaseUrl: undefined, remove: async () => removeFolder() };
  }
  const name = `ironlease_bench_${process.pid}_${(grounds += 1)}`;
  const from = template?.databaseUrl;
  const how = from === undefined ? "" : ` template ${new URL(from).pathname.slice(1)}`;
  await runStatement(serverUrl, `create database ${name}${how}`);
  return {
    data,
    databaseUrl: urlOf(serverUrl, name),
    remove: async () => {
      removeFolder();
      await runStatement(serverUrl, `drop database ${name} with (force)`);
    },
  };
}

/** A database with so many customers who have money, sessions and passwords, in front of a stock. */
export async function peopleGround(
  serverUrl: string | undefined,
  size: { readonly customers: number; readonly machines: number },
): Promise<{ ground: Ground; cast: Cast }> {
  const ground = await makeGround(serverUrl);
  const cast = await withCore(ground.data, ground.databaseUrl, async (core) => {
    await stockUp(core, size.machines);
    await core.db.write((tx) => addSubnet(tx, core, { regionId: "bench", cidr: "10.0.0.0/16" }));
    return {
      customers: await addCustomers(core, size.customers),
      operator: await addOperator(core),
    };
  });
  return { ground, cast };
}

/** The same rows once more, as long as nobody uses the ground. */
export function copyOf(serverUrl: string | undefined, ground: Ground): Promise<Ground> {
  return makeGround(serverUrl, ground);
}

async function addCustomers(core: Core, count: number): Promise<readonly Customer[]> {
  const hashed = await core.passwords.hash(customersPassword);
  if (!hashed.ok) throw new Error(hashed.refusal.code);
  const recovery_hash = hashSecret(normalizeRecoveryCode(recoveryCode));
  const customers: Customer[] = [];
  await core.db.write(async (tx) => {
    for (let index = 0; index < count; index += 1) {
      // Of one width, so that what belongs to them can be had in their order.
      const username = `bench${String(index).padStart(6, "0")}`;
      const accountId = `acc_${username}`;
      const [made, left, revoked] = [newSession(core), newSession(core), newSession(core)];
      await tx
        .insertInto("accounts")
        .values({
          ...{ id: accountId, username, password_hash: hashed.value, recovery_hash },
          created_at: 0,
        })
        .execute();
      await tx
        .insertInto("balances")
        .values({
          account_id: accountId,
          available_cents: cents,
          held_cents: 0,
          entries: 0,
          list_changes: 0,
        })
        .execute();
      await tx
        .insertInto("sessions")
        .values([made, left, revoked].map(({ row }) => ({ ...row, account_id: accountId })))
        .execute();
      const sessions = [made.signedIn, left.signedIn, revoked.signedIn] as const;
      customers.push({ accountId, username, sessions });
    }
    return ok();
  });
  return customers;
}

async function addOperator(core: Core): Promise<SignedIn> {
  const { operatorId } = await addTestOperator(core, "admin");
  const { row, signedIn } = newSession(core, operatorCookies);
  await core.db.write(async (tx) => {
    await tx
      .insertInto("operator_sessions")
      .values({ ...row, operator_id: operatorId })
      .execute();
    return ok();
  });
  return signedIn;
}

function newSession(core: Core, names = accountCookies) {
  const { issued, row } = beginSession(core, noone);
  const { sessionToken, csrfToken } = issued;
  // Noted well ahead, so that no request has to note it as well.
  const last_seen_at = core.clock.now() + core.rules.sessionIdleMs;
  return {
    row: { ...row, last_seen_at },
    signedIn: {
      cookie: `${names.session}=${sessionToken}; ${names.csrf}=${csrfToken}`,
      csrfToken,
    },
  };
}
