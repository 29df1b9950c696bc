import { isIPv6 } from "node:net";
import type { SessionClient } from "@ironlease/client";
import type { Context } from "#context.ts";
import { output, type Output } from "#output/output.ts";
import { pickOne } from "./pick.ts";

export const addressArgument = {
  name: "address",
  meaning: "Address, with or without prefix length, or id.",
} as const;

/** Sets a reverse DNS name. An empty one clears it. */
export async function storePtr(context: Context, given: string, ptr: string): Promise<Output> {
  const client = await context.member();
  const { id, address } = await findAssignment(client, given, context);
  return output(await client.setReverseDns({ id, ptr }, context.calling), (shown) =>
    shown.ptr === ""
      ? `Cleared the reverse DNS name of ${address}.`
      : `Set the reverse DNS name of ${address} to ${shown.ptr}.`,
  );
}

async function findAssignment(
  client: SessionClient,
  given: string,
  context: Context,
): Promise<{ readonly id: string; readonly address: string }> {
  if (given.startsWith("net_")) return { id: given, address: given };
  const { assignments } = await client.listAssignments(context.calling);
  const where = { noun: "address", plural: "addresses", list: "ironlease network list" };
  const [, plain = given, prefix] = /^([^/]*)\/(\d+)$/.exec(given) ?? [];
  const wanted = canonical(plain);
  const nameOf = ({ address, prefixLength }: (typeof assignments)[number]) =>
    canonical(address) === wanted && prefixLength === Number(prefix ?? prefixLength) ? given : null;
  return pickOne(assignments, given, nameOf, where);
}

/** The canonical form: 2001:DB8:0:0::1 and [2001:db8::1] are the same address. */
function canonical(address: string): string {
  const plain = address.replaceAll(/^\[|\]$/g, "");
  const url = `http://[${plain}]`;
  return isIPv6(plain) && URL.canParse(url) ? new URL(url).hostname : plain.toLowerCase();
}
