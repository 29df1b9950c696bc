import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addSubnet } from "#server/kernel/subnets.ts";
import type { Core } from "#server/kernel/core.ts";
import { normalizeRecoveryCode } from "#server/kernel/access/readable-code.ts";
import { hashSecret } from "#server/kernel/access/secrets.ts";
import { beginSession } from "#server/kernel/access/session-secrets.ts";
import { accountCookies, operatorCookies } from "#server/http/admission/cookies.ts";
import { ok } from "#server/kernel/result.ts";
import { addTestOperator } from "#test/operators.ts";
import { databaseUrl as urlOf, runStatement } from "#test/template-database.ts";
import { stockUp, withCore } from "./rental.ts";

/** A database of its own: a data folder, and a PostgreSQL database if `databaseUrl` is set. */
export interface BenchDatabase {
  readonly data: string;
  readonly databaseUrl: string | undefined;
  remove(): Promise<void>;
}

/** The credentials of a signed-in request. */
export interface SignedIn {
  readonly cookie: string;
  readonly csrfToken: string;
}

/** The users in a seeded database and in each of its copies. */
export interface SeededUsers {
  readonly customers: readonly SeededUser[];
  /** As many as customers. They only sign in, sign out and change their own sign-in. */
  readonly operators: readonly SeededUser[];
  /** Customers without money, who only close their accounts. */
  readonly leavers: readonly SeededUser[];
  /** Makes every operator request that concerns a customer. */
  readonly operator: SignedIn;
}

export interface SeededUser {
  readonly username: string;
  /** One to use, one to sign out of, and one to revoke. */
  readonly sessions: readonly [SignedIn, SignedIn, SignedIn];
}

export const sharedPassword = "a long pass phrase";
export const recoveryCode = "00000-11111-22222-33333-44444";
const benchClient = { ipAddress: "127.0.0.1", userAgent: "bench" };
/** Requests that hash a password take about forty times as long as others, so there are few of them. */
export const hashingRequests = 60;
let databases = 0;

/** Creates an empty database or a copy of the template: on PostgreSQL with a server URL, otherwise on SQLite. */
async function createDatabase(
  serverUrl: string | undefined,
  template?: BenchDatabase,
): Promise<BenchDatabase> {
  const data = mkdtempSync(join(tmpdir(), "ironlease-bench-"));
  const removeFolder = () => rmSync(data, { recursive: true, force: true });
  if (serverUrl === undefined) {
    if (template !== undefined) cpSync(template.data, data, { recursive: true });
    return { data, databaseUrl: undefined, remove: async () => removeFolder() };
  }
  const name = `ironlease_bench_${process.pid}_${(databases += 1)}`;
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

/** Creates a database with free machines, and with users who have money, sessions and passwords. */
export async function createSeededDatabase(
  serverUrl: string | undefined,
  size: { readonly customers: number; readonly machines: number },
): Promise<{ database: BenchDatabase; users: SeededUsers }> {
  const database = await createDatabase(serverUrl);
  const users = await withCore(database.data, database.databaseUrl, async (core) => {
    await stockUp(core, size.machines);
    await core.db.write((tx) =>
      addSubnet({ tx, core }, { regionId: "bench", cidr: "10.0.0.0/16" }),
    );
    const hashed = await core.passwords.hash(sharedPassword);
    if (!hashed.ok) throw new Error(hashed.refusal.code);
    return {
      customers: await addCustomers(core, size.customers, hashed.value),
      leavers: await addCustomers(core, Math.min(size.customers, hashingRequests), hashed.value, {
        prefix: "leaver",
        cents: 0,
      }),
      operators: await addOperators(core, size.customers, hashed.value),
      operator: await addOperator(core),
    };
  });
  return { database, users };
}

/** Copies the rows. PostgreSQL refuses while a client is connected to the original. */
export function copyDatabase(
  serverUrl: string | undefined,
  database: BenchDatabase,
): Promise<BenchDatabase> {
  return createDatabase(serverUrl, database);
}

async function addCustomers(
  core: Core,
  count: number,
  password_hash: string,
  { prefix, cents } = { prefix: "bench", cents: 10_000_000 },
): Promise<readonly SeededUser[]> {
  const recovery_hash = hashSecret(normalizeRecoveryCode(recoveryCode));
  const customers: SeededUser[] = [];
  await core.db.write(async (tx) => {
    // All copies need the same keychain, because the raw loop replays statements that refer to it.
    const keychain = { id: "kch_bench", network: "bitcoin", public_key: "simulated" };
    await tx
      .insertInto("keychains")
      .values({ ...keychain, next_index: 0, created_at: 0 })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    for (let index = 0; index < count; index += 1) {
      const username = nameOf(index, prefix);
      const accountId = `acc_${username}`;
      const { rows, sessions } = newSessions(core, accountCookies);
      await tx
        .insertInto("accounts")
        .values({
          id: accountId,
          username,
          password_hash,
          recovery_hash,
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
          chained_entries: 0,
        })
        .execute();
      await tx
        .insertInto("sessions")
        .values(rows.map((row) => ({ ...row, account_id: accountId })))
        .execute();
      customers.push({ username, sessions });
    }
    return ok();
  });
  return customers;
}

async function addOperators(
  core: Core,
  count: number,
  password_hash: string,
): Promise<readonly SeededUser[]> {
  const operators: SeededUser[] = [];
  await core.db.write(async (tx) => {
    for (let index = 0; index < count; index += 1) {
      const username = nameOf(index);
      const id = `opr_${username}`;
      const { rows, sessions } = newSessions(core, operatorCookies);
      await tx
        .insertInto("operators")
        .values({
          id,
          username,
          password_hash,
          role: "support",
          created_at: 0,
          totp_last_step: 0,
        })
        .execute();
      await tx
        .insertInto("operator_sessions")
        .values(rows.map((row) => ({ ...row, operator_id: id })))
        .execute();
      operators.push({ username, sessions });
    }
    return ok();
  });
  return operators;
}

/** Fixed width, so that sorting by account id gives the order of creation. */
function nameOf(index: number, prefix = "bench"): string {
  return `${prefix}${String(index).padStart(6, "0")}`;
}

function newSessions(core: Core, names: typeof accountCookies) {
  const [current, left, revoked] = [
    newSession(core, names),
    newSession(core, names),
    newSession(core, names),
  ];
  return {
    rows: [current.row, left.row, revoked.row],
    sessions: [current.signedIn, left.signedIn, revoked.signedIn] as const,
  };
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

function newSession(core: Core, names: typeof accountCookies) {
  const { issued, row } = beginSession(core, benchClient);
  const { sessionToken, csrfToken } = issued;
  // In the future, so that no request has to update it.
  const last_seen_at = core.clock.now() + core.rules.sessionIdleMs;
  return {
    row: { ...row, last_seen_at },
    signedIn: {
      cookie: `${names.session}=${sessionToken}; ${names.csrf}=${csrfToken}`,
      csrfToken,
    },
  };
}
