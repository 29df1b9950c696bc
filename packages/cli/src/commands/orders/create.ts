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
  summary: "Order servers; the balance is charged at once.",
  description: [
    "Shows the service's price and asks. The price is the service's at the moment of the order; it is " +
      "charged at once, and the machines are reserved.",
    "ACCEPTED means that the order is recorded and is entering provisioning. A person delivers the " +
      "servers; until then ironlease server list shows them as PROVISIONING.",
  ],
  options: {
    ...offerOptions,
    "ssh-key": { value: "KEY", meaning: "A saved SSH key to install, by its name or its id." },
    "ssh-key-file": { value: "FILE", meaning: "An SSH public key to install, from a file." },
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
      `Recorded and paid. A person delivers the servers; ${context.suggest("ironlease server list")} shows when they are ACTIVE.`,
      ...replayLines(shown),
    ]);
  },
});

/** A resend is not asked about its price: what it costs was settled by the first copy. */
async function questionOf(
  client: SessionClient,
  { shared, calling }: Context,
  offer: ReturnType<typeof readOffer>,
): Promise<string> {
  const { quantity, configId, regionId, osId, term } = offer;
  const what = `${counted(quantity, "server")} (${configId}, ${regionId}, ${osId}, ${term})`;
  if (shared.resend === true) return `Send the order of ${what} again, with the same key?`;
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
    throw usageFailure("--ssh-key and --ssh-key-file are two ways to say one thing: use one.");
  }
  if (file !== undefined) return readSshKeyFile(resolve(context.io.cwd, file));
  if (name === undefined) return undefined;
  const { sshKeys } = await client.listSshKeys(context.calling);
  const where = { noun: "saved SSH key", plural: "saved SSH keys", list: "ironlease ssh-key list" };
  return pickOne(sshKeys, name, (key) => key.name, where).publicKey;
}
