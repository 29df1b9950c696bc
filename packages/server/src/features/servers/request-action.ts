import { actionStates, type serverActions } from "@ironlease/contract";
import { lockServer, type LockedServer } from "#kernel/account-servers.ts";
import { lockAccount } from "#kernel/access/accounts.ts";
import { audit } from "#kernel/audit.ts";
import type { CustomerCall, Keyed, Step } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { once, type RecordedAnswer } from "#kernel/idempotency.ts";
import { queueWork, type WorkItem } from "#kernel/work-queue/items.ts";
import type { Tx } from "#ports/db.ts";
import { preparedInsert, preparedOne } from "#kernel/sql/prepared.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse, refuseField } from "#kernel/result.ts";
import type { ServerState } from "#ports/schema.ts";
import { checkPublicUrl } from "#kernel/public-url.ts";

type ServerAction = (typeof serverActions)[number];

export interface QueuedAction {
  readonly id: string;
  readonly status: "QUEUED";
}

interface ActionInput {
  readonly serverId: string;
  readonly action: ServerAction;
  readonly isoUrl?: string | undefined;
}

/**
 * Queues an action on the hardware for an operator. The checks run in this order: fields, ownership, key, server state,
 * open actions. The server is part of the request, so reusing its key on another server is a conflict.
 */
export async function requestAction(
  core: Core,
  call: Keyed<CustomerCall>,
  input: ActionInput,
): Promise<Result<RecordedAnswer<QueuedAction>>> {
  const { accountId } = call;
  const { serverId } = input;
  const isoUrl = readIsoUrl(input);
  if (!isoUrl.ok) return isoUrl;
  const request = { serverId, action: input.action, isoUrl: isoUrl.value };

  return core.db.write(async (tx) => {
    const step = { tx, core, call };
    // Locked before the server, so that concurrent requests for several servers of one account are counted one by one.
    await lockAccount(tx, accountId);
    const server = await lockServer(tx, accountId, serverId);
    if (!server.ok) return server;
    return once<QueuedAction>(step, request, async () => {
      if (!takesActions(server.value.state)) return refuse("server_not_ready");
      const isWithin = await checkOpenActions(step, serverId);
      if (!isWithin.ok) return isWithin;
      const id = await queueAction(step, server.value, request);
      // Without the isoUrl: a signed URL is a secret, and the audit is kept forever.
      const detail = { actionId: id, action: request.action };
      await audit(step, "server.request_action", serverId, detail);
      return ok({ status: 202, body: { id, status: "QUEUED" }, reference: id });
    });
  });
}

/** The normalized URL for mount_iso, null for every other action. */
function readIsoUrl({ action, isoUrl }: ActionInput): Result<string | null> {
  if (action !== "mount_iso") {
    return isoUrl === undefined
      ? ok(null)
      : refuseField("isoUrl", "must be omitted: it applies to mount_iso only");
  }
  if (isoUrl === undefined) return refuseField("isoUrl", "is required with mount_iso");
  const checked = checkPublicUrl(isoUrl);
  return checked.ok ? ok(checked.value) : refuseField("isoUrl", checked.message);
}

function takesActions(state: ServerState): boolean {
  return (actionStates as readonly ServerState[]).includes(state);
}

/** Uses an index that contains only open actions. */
const countOpenActions = preparedOne(
  ["accountId", "serverId"],
  (db, { accountId, serverId }: { accountId: string; serverId: string }) =>
    db
      .selectFrom("work")
      .select(({ fn }) => [
        fn.countAll<number>().as("ofAccount"),
        fn.countAll<number>().filterWhere("server_id", "=", serverId).as("ofServer"),
      ])
      .where("account_id", "=", accountId)
      .where("kind", "=", "SERVER_ACTION")
      // Power changes by operators have no action id and do not count.
      .where("action_id", "is not", null)
      .where("state", "in", ["OPEN", "CLAIMED"]),
);

/** The caller holds the account's row, so nothing is added between the count and the insert. */
async function checkOpenActions(
  { tx, core, call }: Step<CustomerCall>,
  serverId: string,
): Promise<Result<void>> {
  const open = await countOpenActions(tx, { accountId: call.accountId, serverId });
  const { perServer, perAccount } = core.rules.openActions;
  if ((open?.ofServer ?? 0) >= perServer) {
    return refuse("limit_reached", { message: tooMany("server", perServer) });
  }
  if ((open?.ofAccount ?? 0) >= perAccount) {
    return refuse("limit_reached", { message: tooMany("account", perAccount) });
  }
  return ok();
}

function tooMany(what: "server" | "account", limit: number): string {
  return `The ${what} has reached the limit of ${limit} open actions. Wait until an operator has completed one.`;
}

const insertAction = preparedInsert("actions", [
  "id",
  "account_id",
  "server_id",
  "action",
  "iso_url",
  "created_at",
]);

async function queueAction(
  step: Step<CustomerCall>,
  server: LockedServer,
  { action, isoUrl }: { readonly action: ServerAction; readonly isoUrl: string | null },
): Promise<string> {
  const { tx, core } = step;
  const { accountId } = step.call;
  const actionId = core.ids.next("action");
  const serverId = server.id;
  await insertAction(tx, {
    id: actionId,
    account_id: accountId,
    server_id: serverId,
    action,
    iso_url: isoUrl,
    created_at: core.clock.now(),
  });
  const detail = {
    action,
    machineId: server.machineId,
    hostname: server.hostname,
    ...(action === "mount_iso" ? { isoUrl } : {}),
    ...(action === "reinstall" ? await installationOf(tx, accountId, server) : {}),
  };
  await queueWork(step, [{ kind: "SERVER_ACTION", accountId, serverId, actionId, detail }]);
  return actionId;
}

/** A reinstall without the key from the order would lock the owner out. */
async function installationOf(
  tx: Tx,
  accountId: string,
  { orderId, osId }: LockedServer,
): Promise<WorkItem["detail"]> {
  const order = await tx
    .selectFrom("orders")
    .select("ssh_public_key as sshPublicKey")
    .where("id", "=", orderId)
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return { osId, sshPublicKey: order.sshPublicKey };
}
