import { sql } from "kysely";
import { operations, type OperationId } from "@ironlease/contract";
import { totpContext } from "#server/features/operators/totp.ts";
import type { Core } from "#server/kernel/core.ts";
import { totpCode } from "#test/totp.ts";
import { requestBytes } from "./bench-service.ts";
import { everybodysPassword, recoveryCode, type Cast, type Person } from "./ground.ts";
import { benchCatalogue, benchOrder } from "./rental.ts";

/** One thing that every customer does once, or that is done about each of them. */
export interface Step {
  readonly operation: OperationId;
  /** What the requests are about, one for each person in their order: stands in the path, or in the body. */
  readonly about?: (core: Core) => Promise<readonly string[]>;
  readonly body?: (index: number, id: string, person: Person) => object;
  /** Which of the person's sessions it is sent in. */
  readonly session?: 1 | 2;
  /** Every operator does it once, for themselves. */
  readonly isOperators?: true;
  /** Where not everybody can do it, or it takes too long. */
  readonly most?: number;
  /** Only there so that the next step has something to do. */
  readonly isPreparation?: true;
}

/** A password hash takes some forty times as long as anything else. */
const hashes = 60;

const newPassword = () => ({
  currentPassword: everybodysPassword,
  newPassword: `${everybodysPassword} 2`,
});
const because = () => ({ reason: "bench" });
const found = (query: string) => async (core: Core) => {
  const { rows } = await sql.raw<{ id: string }>(query).execute(core.db.read);
  return rows.map(({ id }) => id);
};
const workOf = (kind: string) =>
  found(`select id from work where kind = '${kind}' order by account_id`);
const idsOf = (table: string) => found(`select id from ${table} order by account_id`);
const accounts = found("select id from accounts where id like 'acc_bench%' order by id");
const newest = found("select id from machines where asset_tag like 'new-%' order by asset_tag");
const otherSessions = found(
  "select max(id) as id from sessions where account_id like 'acc_bench%' group by account_id order by account_id",
);

/** What the apps of all operators show now. */
async function codes({ db, sealing, clock }: Core): Promise<readonly string[]> {
  const pending = await db.read
    .selectFrom("operators")
    .select(["id", "totp_pending"])
    .where("totp_pending", "is not", null)
    .orderBy("id")
    .execute();
  return Promise.all(
    pending.map(async ({ id, totp_pending: sealed }) =>
      totpCode(await sealing.open(sealed ?? "", totpContext(id)), clock.now()),
    ),
  );
}

/**
 * What customers and operators can do, in an order in which each step finds what it needs: every write
 * in the operation table. Operators let themselves in first, since a sign-in has to be young for a second factor.
 */
export const life: readonly Step[] = [
  {
    operation: "signInOperator",
    body: (_, __, { username }) => ({ username, password: everybodysPassword }),
    isOperators: true,
    most: hashes,
  },
  { operation: "signOutOperator", isOperators: true, session: 1 },
  { operation: "beginTotp", isOperators: true },
  {
    operation: "confirmTotp",
    about: codes,
    body: (_, code) => ({ code }),
    isOperators: true,
    // A code is good for a minute.
    most: 1_800,
  },
  {
    operation: "changeOperatorPassword",
    body: newPassword,
    isOperators: true,
    most: hashes,
  },
  {
    operation: "register",
    body: (index) => ({ username: `new${index}`, password: everybodysPassword }),
    most: hashes,
  },
  {
    operation: "signIn",
    body: (_, __, { username }) => ({ username, password: everybodysPassword }),
    most: hashes,
  },
  { operation: "placeOrder", body: () => benchOrder },
  { operation: "claimWork", about: workOf("PROVISION") },
  { operation: "completeWork", about: workOf("PROVISION"), body: () => ({}) },
  { operation: "setRenewal", about: idsOf("servers"), body: () => ({ autoRenew: false }) },
  {
    operation: "setReverseDns",
    about: idsOf("assignments"),
    body: (index) => ({ ptr: `host${index}.example.com` }),
  },
  { operation: "requestAction", about: idsOf("servers"), body: () => ({ action: "reboot" }) },
  { operation: "claimWork", about: workOf("SERVER_ACTION"), isPreparation: true },
  { operation: "failWork", about: workOf("SERVER_ACTION"), body: because },
  { operation: "setDdosMode", about: idsOf("servers"), body: () => ({ mode: "ADVANCED" }) },
  { operation: "suspendServer", about: idsOf("servers"), body: because },
  { operation: "resumeServer", about: idsOf("servers"), body: because },
  {
    operation: "requestWithdrawal",
    body: () => ({
      ...{ asset: "ETH", destination: "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed", usd: 1 },
    }),
  },
  { operation: "claimWork", about: workOf("WITHDRAWAL"), isPreparation: true },
  { operation: "releaseWork", about: workOf("WITHDRAWAL") },
  { operation: "createDepositAddress", body: () => ({ asset: "BTC" }) },
  {
    operation: "simulatePayment",
    about: found("select address as id from deposit_addresses order by account_id"),
    body: (_, address) => ({ address, amount: "0.01", confirmations: 6 }),
  },
  { operation: "adjustBalance", about: accounts, body: () => ({ usd: 1, ...because() }) },
  { operation: "freezeAccount", about: accounts, body: because },
  { operation: "unfreezeAccount", about: accounts, body: because },
  {
    operation: "addMachines",
    body: (index) => ({
      ...{ assetTag: `new-${String(index).padStart(6, "0")}`, configId: "bench" },
      regionId: "bench",
    }),
  },
  { operation: "changeMachine", about: newest, body: () => ({ state: "RETIRED" }) },
  {
    operation: "addSubnet",
    most: 900,
    body: (index) => ({
      regionId: "bench",
      cidr: `172.${16 + (index >> 8)}.${index & 255}.0/24`,
    }),
  },
  { operation: "replaceCatalogue", body: () => benchCatalogue },
  { operation: "createApiKey", body: () => ({ name: "bench", scope: "read" }) },
  { operation: "revokeApiKey", about: idsOf("api_keys") },
  {
    operation: "addSshKey",
    body: () => ({
      name: "bench",
      publicKey: `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA${"A".repeat(42)}`,
    }),
  },
  { operation: "removeSshKey", about: idsOf("ssh_keys") },
  { operation: "revokeSession", about: otherSessions },
  { operation: "signOut", session: 1 },
  {
    operation: "changePassword",
    body: newPassword,
    most: hashes,
  },
  {
    operation: "recover",
    body: (_, __, { username }) => ({ username, recoveryCode, newPassword: everybodysPassword }),
    most: hashes,
  },
];

/** The bytes of a step's requests, one for each person, to a service with those ports. */
export function requestsOf(
  step: Step,
  { customers, operators, operator }: Cast,
  ids: readonly string[],
  port: number,
): readonly string[] {
  const { method, path, listener, access, idempotency } = operations[step.operation];
  const isOperators = step.isOperators === true;
  return (isOperators ? operators : customers).map((person, index) => {
    const id = ids[index] ?? "";
    const body = step.body === undefined ? "" : JSON.stringify(step.body(index, id, person));
    const own = person.sessions[step.session ?? 0];
    const who = listener === "operator" && !isOperators ? operator : own;
    const headers = [
      ...(access.kind === "public"
        ? []
        : [`cookie: ${who.cookie}`, `x-csrf-token: ${who.csrfToken}`]),
      ...(idempotency === "none" ? [] : [`idempotency-key: bench-${step.operation}-${index}`]),
      ...(body === "" ? [] : ["content-type: application/json"]),
      `content-length: ${Buffer.byteLength(body)}`,
    ];
    return requestBytes(`${method} ${path.replace("{id}", id)} HTTP/1.1`, port, headers, body);
  });
}
