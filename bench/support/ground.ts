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
  readonly customers: readonly Person[];
  /** As many, who only let themselves in and out. */
  readonly operators: readonly Person[];
  /** Does everything that operators do about customers. */
  readonly operator: SignedIn;
}

/** Who has a password and can be signed in. */
export interface Person {
  readonly username: string;
  /** One to use, one to sign out of, and one to be revoked. */
  readonly sessions: readonly [SignedIn, SignedIn, SignedIn];
}

export const everybodysPassword = "a long pass phrase";
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
    await core.db.write((tx) =>
      addSubnet({ tx, core }, { regionId: "bench", cidr: "10.0.0.0/16" }),
    );
    const hashed = await core.passwords.hash(everybodysPassword);
    if (!hashed.ok) throw new Error(hashed.refusal.code);
    return {
      customers: await addCustomers(core, size.customers, hashed.value),
      operators: await addOperators(core, size.customers, hashed.value),
      operator: await addOperator(core),
    };
  });
  return { ground, cast };
}

/** The same rows once more, as long as nobody uses the ground. */
export function copyOf(serverUrl: string | undefined, ground: Ground): Promise<Ground> {
  return makeGround(serverUrl, ground);
}

async function addCustomers(
  core: Core,
  count: number,
  password_hash: string,
): Promise<readonly Person[]> {
  const recovery_hash = hashSecret(normalizeRecoveryCode(recoveryCode));
  const customers: Person[] = [];
  await core.db.write(async (tx) => {
    for (let index = 0; index < count; index += 1) {
      const username = nameOf(index);
      const accountId = `acc_${username}`;
      const { rows, sessions } = newSessions(core, accountCookies);
      await tx
        .insertInto("accounts")
        .values({
          ...{ id: accountId, username, password_hash, recovery_hash },
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
): Promise<readonly Person[]> {
  const operators: Person[] = [];
  await core.db.write(async (tx) => {
    for (let index = 0; index < count; index += 1) {
      const username = nameOf(index);
      const id = `opr_${username}`;
      const { rows, sessions } = newSessions(core, operatorCookies);
      await tx
        .insertInto("operators")
        .values({
          ...{ id, username, password_hash, role: "support" },
          ...{ created_at: 0, totp_last_step: 0 },
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

/** Of one width, so that what belongs to people can be had in their order. */
function nameOf(index: number): string {
  return `bench${String(index).padStart(6, "0")}`;
}

function newSessions(core: Core, names: typeof accountCookies) {
  const [made, left, revoked] = [
    newSession(core, names),
    newSession(core, names),
    newSession(core, names),
  ];
  return {
    rows: [made.row, left.row, revoked.row],
    sessions: [made.signedIn, left.signedIn, revoked.signedIn] as const,
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
