import { resolve } from "node:path";
import type { SessionClient } from "@ironlease/client";
import { command } from "#command.ts";
import type { Context } from "#context.ts";
import { usageFailure } from "#failures/failure.ts";
import { counted, usdOf } from "#output/formats.ts";
import { output } from "#output/output.ts";
import { record } from "#output/table.ts";
import { offerOptions, readOffer } from "#steps/offer.ts";
import { pickOne } from "#steps/pick.ts";
import { readSshKeyFile } from "#steps/ssh-key-file.ts";
import { replayLines, written } from "#steps/written.ts";

export const createOrder = command({
  words: ["order", "create"],
  summary: "Order servers. The balance is charged at once.",
  description: [
    "Shows the price and asks for confirmation. The order is charged at once, at the price of that moment, " +
      "and reserves the machines.",
    "ACCEPTED means that the order is recorded and provisioning has begun. Until a person delivers the " +
      "servers, ironlease server list shows them as PROVISIONING.",
  ],
  options: {
    ...offerOptions,
    "ssh-key": {
      value: "KEY",
      completes: "ssh-keys",
      meaning: "Saved SSH key to install: name or id.",
    },
    "ssh-key-file": { value: "FILE", meaning: "SSH public key file to install." },
  },
  asks: true,
  keyed: true,
  fields: ["id", "status", "totalUsd", "serverIds", "idempotencyKey", "isReplay"],
  examples: [
    {
      line: "ironlease order create --config metal-s --region fra --os debian-13 --term monthly --ssh-key laptop",
      meaning: "One server for a month, with a saved SSH key.",
    },
  ],
  run: async ({ options, context }) => {
    const client = await context.member();
    const offer = readOffer(options);
    const sshPublicKey = await readSshKey(client, context, options);
    if (context.shared.yes !== true) {
      await context.confirm({ text: await questionOf(client, context, offer) });
    }
    const key = await context.writing();
    const request = { ...offer, ...(sshPublicKey === undefined ? {} : { sshPublicKey }) };
    const answer = written(await client.placeOrder(request, key), key);
    return output(answer, (shown, style) => [
      record(style, [
        ["Order", shown.id],
        ["Status", shown.status],
        ["Charged", usdOf(shown.totalUsd)],
        ...shown.serverIds.map((id) => ["Server", id] as const),
      ]),
      "",
      `Ordered and paid. To see when the servers are ACTIVE: ${context.suggest("ironlease server list")}`,
      ...replayLines(shown),
    ]);
  },
});

/** A resend shows no price: the first attempt has settled it. */
async function questionOf(
  client: SessionClient,
  { shared, calling }: Context,
  offer: ReturnType<typeof readOffer>,
): Promise<string> {
  const { quantity, configId, regionId, osId, term } = offer;
  const what = `${counted(quantity, "server")} (${configId}, ${regionId}, ${osId}, ${term})`;
  if (shared.resend === true) return `Retry the order of ${what} with the same key?`;
  const { totalUsd } = await client.readQuote(offer, calling);
  return `Order ${what} for ${usdOf(totalUsd)} now?`;
}

async function readSshKey(
  client: SessionClient,
  context: Context,
  options: {
    readonly "ssh-key": string | undefined;
    readonly "ssh-key-file": string | undefined;
  },
): Promise<string | undefined> {
  const { "ssh-key": name, "ssh-key-file": file } = options;
  if (name !== undefined && file !== undefined) {
    throw usageFailure("--ssh-key and --ssh-key-file cannot be combined.");
  }
  if (file !== undefined) return readSshKeyFile(resolve(context.io.cwd, file));
  if (name === undefined) return undefined;
  const { sshKeys } = await client.listSshKeys(context.calling);
  const where = { noun: "saved SSH key", plural: "saved SSH keys", list: "ironlease ssh-key list" };
  return pickOne(sshKeys, name, (key) => key.name, where).publicKey;
}
