import { operations, type OperationId } from "@ironlease/contract";
import { requestBytes } from "./bench-service.ts";
import { customersPassword, recoveryCode, type Cast, type Customer } from "./ground.ts";
import { benchCatalogue, benchOrder } from "./rental.ts";

/** One thing that every customer does once, or that is done about each of them. */
export interface Step {
  readonly operation: OperationId;
  /** What the requests are about, one for each customer in their order: stands in the path, or in the body. */
  readonly about?: string;
  readonly body?: (index: number, id: string, customer: Customer) => object;
  /** Which of the customer's sessions it is sent in. */
  readonly session?: 1 | 2;
  /** Where not everybody can do it, or it takes too long. */
  readonly most?: number;
  /** Only there so that the next step has something to do. */
  readonly isPreparation?: true;
}

/** A password hash takes some forty times as long as anything else. */
const hashes = 60;

const because = () => ({ reason: "bench" });
const workOf = (kind: string) => `select id from work where kind = '${kind}' order by account_id`;
const idsOf = (table: string) => `select id from ${table} order by account_id`;
const accounts = "select id from accounts where id like 'acc_bench%' order by id";
const newest = "select id from machines where asset_tag like 'new-%' order by asset_tag";
const otherSessions =
  "select max(id) as id from sessions where account_id like 'acc_bench%' group by account_id order by account_id";

/**
 * What customers and operators can do, in an order in which each step finds what it needs: every write
 * in the operation table but those with which operators let themselves in.
 */
export const life: readonly Step[] = [
  {
    operation: "register",
    body: (index) => ({ username: `new${index}`, password: customersPassword }),
    most: hashes,
  },
  {
    operation: "signIn",
    body: (_, __, { username }) => ({ username, password: customersPassword }),
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
    about: "select address as id from deposit_addresses order by account_id",
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
    body: () => ({ currentPassword: customersPassword, newPassword: `${customersPassword} 2` }),
    most: hashes,
  },
  {
    operation: "recover",
    body: (_, __, { username }) => ({ username, recoveryCode, newPassword: customersPassword }),
    most: hashes,
  },
];

/** The bytes of a step's requests, one for each customer, to a service with those ports. */
export function requestsOf(
  step: Step,
  { customers, operator }: Cast,
  ids: readonly string[],
  port: number,
): readonly string[] {
  const { method, path, listener, access, idempotency } = operations[step.operation];
  return customers.map((customer, index) => {
    const id = ids[index] ?? "";
    const body = step.body === undefined ? "" : JSON.stringify(step.body(index, id, customer));
    const who = listener === "operator" ? operator : customer.sessions[step.session ?? 0];
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
