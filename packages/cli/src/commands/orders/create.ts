import { record } from "@ironlease/command-line";
import { resolve } from "node:path";
import type { SessionClient } from "@ironlease/client";
import { command } from "#command.ts";
import type { Context } from "#context.ts";
import { usageFailure } from "#failures/failure.ts";
import { counted, usdOf } from "#output/formats.ts";
import { output } from "#output/output.ts";
import { chooseOffer, missingOptions } from "#steps/choose-offer.ts";
import { offerOptions, readQuantity, type Offer } from "#steps/offer.ts";
import { pickOne } from "#steps/pick.ts";
import { readSshKeyFile } from "#steps/ssh-key-file.ts";
import { readSeconds, waitForServers, waitOption } from "#steps/wait-for-servers.ts";
import { replayLines, written } from "#steps/written.ts";

export const createOrder = command({
  words: ["order", "create"],
  summary: "Order servers. The balance is charged at once.",
  description: [
    "On a terminal it asks for what is missing: region, configuration, operating system, term and SSH key. Then it " +
      "shows the price and asks for confirmation. The order is charged at once, at the price of that moment, " +
      "and reserves the machines.",
    "ACCEPTED means that the order is recorded and provisioning has begun. Until a person delivers the " +
      "servers, ironlease server list shows them as PROVISIONING.",
    "With --wait, the order is printed at once, and the exit code says what became of its servers: 0 once all are " +
      "ACTIVE, 15 if one is not within --for, 17 if one was cancelled or terminated.",
  ],
  options: {
    ...offerOptions,
    "ssh-key": {
      value: "KEY",
      completes: "ssh-keys",
      meaning: "Saved SSH key to install: name or id.",
    },
    "ssh-key-file": { value: "FILE", meaning: "SSH public key file to install." },
    wait: { meaning: "Wait until the servers are delivered." },
    ...waitOption,
  },
  asks: true,
  keyed: true,
  fields: ["id", "status", "totalUsd", "serverIds", "idempotencyKey", "isReplay"],
  examples: [
    { line: "ironlease order create", meaning: "Choose everything on the terminal." },
    {
      line: "ironlease order create --config metal-s --region fra --os debian-13 --term monthly --ssh-key laptop",
      meaning: "One server for a month, with a saved SSH key.",
    },
    {
      line: "ironlease order create --config metal-s --region fra --os debian-13 --term weekly --ssh-key laptop --yes --wait --for 86400",
      meaning: "From a script, which waits for the delivery.",
    },
  ],
  run: async ({ options, context }) => {
    const { wait, for: time } = options;
    if (time !== undefined && !wait) throw usageFailure("--for needs --wait.");
    const seconds = readSeconds(time);
    readQuantity(options.quantity);
    const client = await context.member();
    const isAsked = missingOptions(options).length > 0;
    const offer = await chooseOffer(context, options);
    const sshPublicKey =
      (await readSshKey(client, context, options)) ??
      (isAsked ? await chooseSshKey(client, context) : undefined);
    if (sshPublicKey === undefined) {
      context.note(
        "Warning: the order has no SSH key, so you cannot log in until an operator sends you a root password.",
      );
    }
    if (context.shared.yes !== true) {
      await context.confirm({ text: await questionOf(client, context, offer) });
    }
    const key = await context.writing();
    const request = { ...offer, ...(sshPublicKey === undefined ? {} : { sshPublicKey }) };
    const answer = written(await client.placeOrder(request, key), key);
    const result = output(answer, (shown, style) => [
      record(style, [
        ["Order", shown.id],
        ["Status", shown.status],
        ["Charged", usdOf(shown.totalUsd)],
        ...shown.serverIds.map((id) => ["Server", id] as const),
      ]),
      "",
      `Ordered and paid. ${nextStep(context, shown.serverIds)}`,
      ...replayLines(shown),
    ]);
    if (!wait) return result;
    // Printed first, so that it is known whatever happens while waiting.
    await context.print(result);
    await waitForServers(context, client, answer.serverIds, { state: "ACTIVE", seconds });
    return undefined;
  },
});

function nextStep(context: Context, [first = "", ...others]: readonly string[]): string {
  const line = others.length === 0 ? `ironlease server wait ${first}` : "ironlease server list";
  return `To see when ${others.length === 0 ? "the server is" : "the servers are"} ACTIVE: ${context.suggest(line)}`;
}

async function chooseSshKey(client: SessionClient, context: Context): Promise<string | undefined> {
  const { sshKeys } = await client.listSshKeys(context.calling);
  if (sshKeys.length === 0) return undefined;
  return context.prompter.choose("SSH key:", [
    ...sshKeys.map(({ name, fingerprint, publicKey }) => ({
      value: publicKey,
      name: `${name}  ${fingerprint}`,
    })),
    { value: undefined, name: "none" },
  ]);
}

/** A resend shows no price: the first attempt has settled it. */
async function questionOf(
  client: SessionClient,
  { shared, calling }: Context,
  offer: Offer,
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
