import { sql } from "kysely";
import { actorOf, type Call } from "#kernel/call.ts";
import { allowsAddress, networksIn } from "#kernel/access/allowed-networks.ts";
import { ok, refuse } from "#kernel/result.ts";
import type { Tx } from "#ports/db.ts";
import type { Result } from "#ports/result.ts";
import type { LockedOperator } from "./lock-operator.ts";

type Admin = Pick<LockedOperator, "id" | "allowedNetworks">;

/**
 * Locks every admin who is enabled, so that of two admins who disable each other only one succeeds. Each of them holds
 * their own row already: PostgreSQL undoes one of the two, which is then repeated and finds its session ended.
 */
export async function lockEnabledAdmins(tx: Tx): Promise<readonly Admin[]> {
  const rows = await tx
    .selectFrom("operators")
    .select(["id", "allowed_networks as networks"])
    // A literal, so that the planner can use the index of enabled admins.
    .where(sql<boolean>`role = 'admin'`)
    .where("disabled_at", "is", null)
    .orderBy("id")
    .forNoKeyUpdate()
    .execute();
  return rows.map(({ id, networks }) => ({ id, allowedNetworks: networksIn(networks) }));
}

interface Change {
  readonly before: LockedOperator;
  readonly after: LockedOperator;
  readonly confirmLockout: boolean | undefined;
}

/** Refuses a change after which no admin could sign in, or the caller no longer could without having confirmed it. */
export function checkLockout(
  call: Call,
  admins: readonly Admin[],
  { before, after, confirmLockout }: Change,
): Result<void> {
  const { ipAddress } = call.client;
  // A command on the server has no address. It can lift every limit again.
  const isReached = ({ allowedNetworks }: Admin) =>
    ipAddress === "" || allowsAddress(allowedNetworks, ipAddress);
  const others = admins.filter(({ id }) => id !== after.id);
  const staysAdmin = after.role === "admin" && after.disabledAt === null;
  const wasAdmin = others.length < admins.length;
  if (wasAdmin && ![...others, ...(staysAdmin ? [after] : [])].some(isReached)) {
    return refuse("conflict", {
      message:
        others.length === 0
          ? `${before.username} is the last enabled admin. Add another admin first.`
          : "No admin could sign in from your address afterwards. Change the networks of another admin first.",
    });
  }
  const locksOutCaller = actorOf(call) === after.id && isReached(before) && !isReached(after);
  if (locksOutCaller && confirmLockout !== true) {
    return refuse("conflict", {
      message: `Your address ${ipAddress} is not in these networks, so your session would end. Add it, or send confirmLockout.`,
    });
  }
  return ok();
}
