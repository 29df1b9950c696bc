import { sql } from "kysely";
import { operations } from "@ironlease/contract";
import { codeContext } from "#server/features/contact/confirmation-code.ts";
import { totpContext } from "#server/kernel/second-factor/totp.ts";
import type { Core } from "#server/kernel/core.ts";
import { totpCode } from "#test/totp.ts";
import { requestBytes } from "./bench-service.ts";
import {
  hashingRequests,
  sharedPassword,
  recoveryCode,
  type SeededUsers,
} from "./bench-database.ts";
import {
  addPasskey,
  newChallenges,
  passkeysOf,
  signInChallenges,
  signWithPasskey,
} from "./passkey-bodies.ts";
import type { Step } from "./write-step.ts";
import { benchCatalogue, benchOrder } from "./rental.ts";

const newPassword = () => ({
  currentPassword: sharedPassword,
  newPassword: `${sharedPassword} 2`,
});
const because = () => ({ reason: "bench" });
const found = (query: string) => async (core: Core) => {
  const { rows } = await sql.raw<{ id: string }>(query).execute(core.db.read);
  return rows.map(({ id }) => id);
};
const workOf = (kind: string) =>
  found(`select id from work where kind = '${kind}' order by account_id`);
const ethAddress = (index: number) => `0x${String(index + 1).padStart(40, "0")}`;
const idsOf = (table: string) => found(`select id from ${table} order by account_id`);
const accounts = found("select id from accounts where id like 'acc_bench%' order by id");
const threads = found("select id from threads where opened_by = 'CUSTOMER' order by account_id");
const replies = found("select id from saved_replies where name like 'bench%' order by number");
const newest = found("select id from machines where asset_tag like 'new-%' order by asset_tag");
const hired = found("select id from operators where username like 'hired%' order by id");
/** Those of the sign-ins with a passkey. The older ones make further requests. */
const operatorSessions = found(
  "select operator_id || ' ' || max(id) as id from operator_sessions where operator_id like 'opr_bench%' group by operator_id having count(*) > 1 order by operator_id",
);
const otherSessions = found(
  "select max(id) as id from sessions where account_id like 'acc_bench%' group by account_id order by account_id",
);

/** The current one-time code of every customer or operator with a pending second factor. */
const codesOf = (owners: "accounts" | "operators") => async (core: Core) => {
  const { db, sealing, clock } = core;
  const pending = await db.read
    .selectFrom(owners)
    .select(["id", "totp_pending"])
    .where("totp_pending", "is not", null)
    .orderBy("id")
    .execute();
  return Promise.all(
    pending.map(async ({ id, totp_pending: sealed }) =>
      totpCode(await sealing.open(sealed ?? "", totpContext(id)), clock.now()),
    ),
  );
};

/** The code of every contact that waits for one. Its mail keeps it sealed. */
async function contactCodes({ db, sealing }: Core): Promise<readonly string[]> {
  const mails = await db.read
    .selectFrom("mails")
    .select(["id", "detail"])
    .where("kind", "=", "CONFIRMATION")
    .orderBy("account_id")
    .execute();
  return Promise.all(
    mails.map(({ id, detail }) => {
      const { code } = JSON.parse(detail) as { readonly code: string };
      return sealing.open(code, codeContext(id));
    }),
  );
}

/** A challenge expires after five minutes. */
const passkeys = 900;

/**
 * Every write in the operation table, ordered so that each step finds the rows it needs. Sign-ins come first, because
 * setting up a second factor requires a recent sign-in and ends the other sessions.
 */
export const writeSteps: readonly Step[] = [
  {
    operation: "signInOperator",
    body: (_, __, { username }) => ({ username, password: sharedPassword }),
    isOperators: true,
    limit: hashingRequests,
  },
  { operation: "signOutOperator", isOperators: true, session: 1 },
  { operation: "beginTotp", isOperators: true },
  {
    operation: "confirmTotp",
    about: codesOf("operators"),
    body: (_, code) => ({ code }),
    isOperators: true,
    // A code expires after about a minute.
    limit: 1_800,
  },
  { operation: "beginOperatorPasskey", isOperators: true, limit: passkeys },
  {
    operation: "finishOperatorPasskey",
    about: newChallenges("operator"),
    body: addPasskey,
    isOperators: true,
    limit: passkeys,
  },
  { operation: "beginOperatorPasskeySignIn", isOperators: true },
  {
    operation: "finishOperatorPasskeySignIn",
    about: signInChallenges("operator"),
    body: signWithPasskey,
    isOperators: true,
    limit: passkeys,
  },
  {
    operation: "removeOperatorPasskey",
    about: passkeysOf("operator"),
    isOperators: true,
    limit: passkeys,
  },
  { operation: "endOperatorSession", about: operatorSessions, limit: passkeys },
  {
    operation: "changeOperatorPassword",
    body: newPassword,
    isOperators: true,
    limit: hashingRequests,
  },
  {
    operation: "register",
    body: (index) => ({ username: `new${index}`, password: sharedPassword }),
    limit: hashingRequests,
  },
  {
    operation: "signIn",
    body: (_, __, { username }) => ({ username, password: sharedPassword }),
    limit: hashingRequests,
  },
  { operation: "revokeSession", about: otherSessions },
  { operation: "signOut", session: 1 },
  { operation: "beginSecondFactor" },
  {
    operation: "confirmSecondFactor",
    about: codesOf("accounts"),
    body: (_, code) => ({ code }),
    // A code expires after about a minute.
    limit: 1_800,
  },
  { operation: "removeSecondFactor", limit: 1_800 },
  { operation: "beginPasskey", limit: passkeys },
  {
    operation: "finishPasskey",
    about: newChallenges("account"),
    body: addPasskey,
    limit: passkeys,
  },
  { operation: "beginPasskeySignIn" },
  {
    operation: "finishPasskeySignIn",
    about: signInChallenges("account"),
    body: signWithPasskey,
    limit: passkeys,
  },
  { operation: "removePasskey", about: passkeysOf("account"), limit: passkeys },
  { operation: "placeOrder", body: () => benchOrder },
  { operation: "claimWork", about: workOf("PROVISION") },
  { operation: "completeWork", about: workOf("PROVISION"), body: () => ({}) },
  { operation: "setRenewal", about: idsOf("servers"), body: () => ({ autoRenew: false }) },
  { operation: "setLabel", about: idsOf("servers"), body: (index) => ({ label: `box ${index}` }) },
  {
    operation: "setReverseDns",
    about: idsOf("assignments"),
    body: (index) => ({ ptr: `host${index}.example.com` }),
  },
  { operation: "requestAction", about: idsOf("servers"), body: () => ({ action: "reboot" }) },
  { operation: "claimWork", about: workOf("SERVER_ACTION"), isPreparation: true },
  { operation: "failWork", about: workOf("SERVER_ACTION"), body: because },
  { operation: "setDdosMode", about: idsOf("servers"), body: () => ({ mode: "ADVANCED" }) },
  { operation: "claimWork", about: workOf("DDOS"), isPreparation: true },
  { operation: "offerQuote", about: workOf("DDOS"), body: () => ({ quoteUsd: 1 }) },
  { operation: "acceptQuote", about: idsOf("servers"), body: () => ({ usd: 1 }) },
  { operation: "suspendServer", about: idsOf("servers"), body: because },
  { operation: "resumeServer", about: idsOf("servers"), body: because },
  {
    operation: "requestWithdrawal",
    body: () => ({
      asset: "ETH",
      destination: "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed",
      usd: 1,
    }),
  },
  { operation: "claimWork", about: workOf("WITHDRAWAL"), isPreparation: true },
  {
    operation: "tickWork",
    about: workOf("WITHDRAWAL"),
    body: () => ({ line: "Compare the whole destination address", ticked: true }),
  },
  { operation: "assignWork", about: workOf("WITHDRAWAL"), body: () => ({ operator: null }) },
  { operation: "releaseWork", about: workOf("WITHDRAWAL") },
  { operation: "createDepositAddress", body: () => ({ asset: "BTC" }) },
  {
    operation: "simulatePayment",
    about: found("select address as id from deposit_addresses order by account_id"),
    body: (_, address) => ({ address, amount: "0.01", confirmations: 6 }),
  },
  {
    operation: "setRate",
    about: async (core) => (await accounts(core)).map(() => "LTC"),
    body: () => ({ usd: "80.00", validUntil: new Date(Date.now() + 3_600_000).toISOString() }),
  },
  {
    operation: "setChecklist",
    about: async (core) => (await accounts(core)).map(() => "kvm"),
    body: (index) => ({ lines: [`Step ${index}`] }),
  },
  { operation: "adjustBalance", about: accounts, body: () => ({ usd: 1, ...because() }) },
  { operation: "addAccountNote", about: accounts, body: () => ({ text: "A note." }) },
  { operation: "freezeAccount", about: accounts, body: because },
  { operation: "unfreezeAccount", about: accounts, body: because },
  {
    operation: "addMachines",
    body: (index) => ({
      assetTag: `new-${String(index).padStart(6, "0")}`,
      configId: "bench",
      regionId: "bench",
    }),
  },
  {
    operation: "setController",
    about: newest,
    body: () => ({
      driver: "ipmi",
      address: "127.0.0.1:623",
      username: "bench",
      credential: "a password",
    }),
  },
  { operation: "removeController", about: newest },
  { operation: "changeMachine", about: newest, body: () => ({ state: "RETIRED" }) },
  {
    operation: "addSubnet",
    limit: 900,
    body: (index) => ({
      regionId: "bench",
      cidr: `172.${16 + (index >> 8)}.${index & 255}.0/24`,
    }),
  },
  {
    operation: "changeSubnet",
    limit: 900,
    about: found("select id from subnets where cidr like '172.%' order by id"),
    body: (index) => ({ vlan: 1 + index }),
  },
  {
    operation: "addOperator",
    body: (index) => ({ username: `hired${index}`, role: "support" }),
    limit: hashingRequests,
  },
  {
    operation: "changeOperator",
    about: hired,
    body: () => ({ role: "finance" }),
    limit: hashingRequests,
  },
  { operation: "resetOperator", about: hired, limit: hashingRequests },
  { operation: "replaceCatalogue", body: () => benchCatalogue },
  { operation: "openThread", body: () => ({ subject: "Disk", text: "Please check it." }) },
  { operation: "sendMessage", about: threads, body: () => ({ text: "Any news?" }) },
  {
    operation: "writeToCustomer",
    about: accounts,
    body: (_, accountId) => ({ accountId, text: "Hello." }),
  },
  { operation: "answerThread", about: threads, body: () => ({ text: "Done." }) },
  { operation: "assignThread", about: threads, body: () => ({ operator: null }) },
  {
    operation: "addSavedReply",
    // Fewer than can be saved.
    limit: 90,
    body: (index) => ({ name: `bench ${index}`, text: "Hello." }),
  },
  {
    operation: "changeSavedReply",
    about: replies,
    limit: 90,
    body: (index) => ({ name: `bench again ${index}`, text: "Hello." }),
  },
  { operation: "removeSavedReply", about: replies, limit: 90 },
  {
    operation: "publishNotice",
    // Fewer than can be current.
    limit: 90,
    body: () => ({
      kind: "MAINTENANCE",
      title: "bench",
      text: "bench",
      startsAt: new Date().toISOString(),
      endsAt: new Date(Date.now() + 3_600_000).toISOString(),
    }),
  },
  {
    operation: "withdrawNotice",
    about: found("select id from notices order by id"),
    limit: 90,
  },
  { operation: "markThreadRead", about: threads },
  { operation: "closeThread", about: threads },
  { operation: "closeAnyThread", about: threads },
  { operation: "placeOrder", body: () => benchOrder, isPreparation: true, isAgain: true },
  {
    operation: "cancelServer",
    about: found("select id from servers where state = 'PROVISIONING' order by account_id"),
  },
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
  {
    operation: "addWithdrawalAddress",
    body: (index) => ({ asset: "ETH", destination: ethAddress(index), label: "bench" }),
  },
  { operation: "removeWithdrawalAddress", about: idsOf("withdrawal_addresses") },
  { operation: "setWithdrawalLock", body: () => ({ locked: true }) },
  {
    operation: "createWebhook",
    body: () => ({ url: "https://hooks.example.com/", events: ["balance.low"] }),
  },
  { operation: "testWebhook", about: idsOf("webhooks") },
  {
    operation: "redeliver",
    about: found("select subscriber_id || ' ' || id as id from deliveries order by account_id"),
  },
  { operation: "rotateWebhookSecret", about: idsOf("webhooks") },
  { operation: "deleteWebhook", about: idsOf("webhooks") },
  { operation: "setContact", body: (index) => ({ email: `bench${index}@example.com` }) },
  { operation: "confirmContact", about: contactCodes, body: (_, code) => ({ code }) },
  { operation: "removeContact" },
  {
    operation: "changePassword",
    body: newPassword,
    limit: hashingRequests,
  },
  {
    operation: "recover",
    body: (_, __, { username }) => ({ username, recoveryCode, newPassword: sharedPassword }),
    limit: hashingRequests,
  },
  {
    operation: "closeAccount",
    body: () => ({ password: sharedPassword }),
    isLeavers: true,
    limit: hashingRequests,
  },
];

/** The raw HTTP requests of a step, one for each user. */
export function requestsOf(
  step: Step,
  { customers, leavers, operators, operator }: SeededUsers,
  ids: readonly string[],
  port: number,
): readonly string[] {
  const { method, path, listener, access, idempotency } = operations[step.operation];
  const isOperators = step.isOperators === true;
  const name = step.isAgain === true ? `${step.operation}-again` : step.operation;
  const some = step.isLeavers === true ? leavers : customers;
  return (isOperators ? operators : some).map((person, index) => {
    const id = ids[index] ?? "";
    const body = step.body === undefined ? "" : JSON.stringify(step.body(index, id, person, port));
    const own = person.sessions[step.session ?? 0];
    const who = listener === "operator" && !isOperators ? operator : own;
    const headers = [
      ...(access.kind === "public"
        ? []
        : [`cookie: ${who.cookie}`, `x-csrf-token: ${who.csrfToken}`]),
      ...(idempotency === "none" ? [] : [`idempotency-key: bench-${name}-${index}`]),
      ...(body === "" ? [] : ["content-type: application/json"]),
      `content-length: ${Buffer.byteLength(body)}`,
    ];
    const parts = id.split(" ").values();
    const target = path.replaceAll(/\{\w+\}/g, () => parts.next().value ?? "");
    return requestBytes(`${method} ${target} HTTP/1.1`, port, headers, body);
  });
}
