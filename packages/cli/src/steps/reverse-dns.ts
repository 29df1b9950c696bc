import type { SessionClient } from "@ironlease/client";
import type { Context } from "../context.ts";
import { output, type Output } from "../output/output.ts";
import { pickOne } from "./pick.ts";

export const addressArgument = {
  name: "address",
  meaning: "The address, without its prefix length, or its id.",
} as const;

/** Stores a reverse DNS name; an empty one clears it. */
export async function storePtr(context: Context, address: string, ptr: string): Promise<Output> {
  const client = await context.member();
  const id = await findAssignmentId(client, address, context);
  return output(await client.setReverseDns({ id, ptr }, context.calling), (shown) =>
    shown.ptr === ""
      ? `The reverse DNS name of ${address} is cleared.`
      : `The reverse DNS name of ${address} is stored as ${shown.ptr}.`,
  );
}

async function findAssignmentId(
  client: SessionClient,
  given: string,
  context: Context,
): Promise<string> {
  if (given.startsWith("net_")) return given;
  const { assignments } = await client.listAssignments(context.calling);
  const where = { noun: "address", list: "ironlease network list" };
  return pickOne(assignments, given.toLowerCase(), ({ address }) => address, where).id;
}
