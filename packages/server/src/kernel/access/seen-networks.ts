import ipaddr from "ipaddr.js";
import type { Erase } from "#kernel/closed-account.ts";
import type { CustomerCall, Step } from "#kernel/call.ts";
import { isoTime } from "#kernel/iso-time.ts";
import { tellContact } from "#kernel/mails.ts";
import type { Tx } from "#ports/db.ts";

/** How long an account remembers a network that it does not use. */
const keptMs = 90 * 86_400_000;

/** Smaller networks change too often: providers give a customer another address of the same network. */
const prefixes = { ipv4: 24, ipv6: 48 } as const;

/** Records the network that the account signs in from. The account's contact gets a mail about a new one. */
export async function noteNetwork(step: Step<CustomerCall>): Promise<void> {
  const { core, call } = step;
  const now = core.clock.now();
  const { ipAddress } = call.client;
  if (!(await isNew(step, networkOf(ipAddress), now))) return;
  const notice = {
    kind: "SIGN_INS",
    topic: "session.created",
    detail: { ipAddress, at: isoTime(now) },
  } as const;
  await tellContact(step, call.accountId, notice);
}

/** Stores the network. Of two concurrent first uses only one is new, because the caller holds the account's row. */
async function isNew(
  { tx, call: { accountId } }: Step<CustomerCall>,
  network: string,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("seen_networks")
    .set({ seen_at: now })
    .where("account_id", "=", accountId)
    .where("network", "=", network)
    .executeTakeFirst();
  if (numUpdatedRows === 1n) return false;
  await tx
    .insertInto("seen_networks")
    .values({ account_id: accountId, network, seen_at: now })
    .execute();
  return true;
}

function networkOf(ipAddress: string): string {
  if (!ipaddr.isValid(ipAddress)) return ipAddress;
  const address = ipaddr.process(ipAddress);
  const prefix = prefixes[address.kind()];
  const cidr = `${address.toString()}/${prefix}`;
  const network =
    address instanceof ipaddr.IPv4
      ? ipaddr.IPv4.networkAddressFromCIDR(cidr)
      : ipaddr.IPv6.networkAddressFromCIDR(cidr);
  return `${network.toString()}/${prefix}`;
}

/** Forgets up to `limit` networks that were not used for long, and returns how many. */
export async function sweepNetworks(tx: Tx, now: number, limit: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("seen_networks")
    .where((eb) =>
      eb(
        eb.refTuple("account_id", "network"),
        "in",
        eb
          .selectFrom("seen_networks")
          .select(["account_id", "network"])
          .where("seen_at", "<=", now - keptMs)
          .limit(limit)
          .$asTuple("account_id", "network"),
      ),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Forgets every network of an account that closes. */
export const eraseNetworks: Erase = async ({ tx }, accountId) => {
  await tx.deleteFrom("seen_networks").where("account_id", "=", accountId).execute();
};
