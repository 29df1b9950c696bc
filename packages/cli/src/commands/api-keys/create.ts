import { type Style, record } from "@ironlease/command-line";
import { command } from "#command.ts";
import { usageFailure } from "#failures/failure.ts";
import { minuteOf } from "#output/formats.ts";
import { output } from "#output/output.ts";
import { scopes } from "#vocabulary.ts";

export const createKey = command({
  words: ["key", "create"],
  summary: "Create a read-only API key.",
  description: [
    "Scope read covers servers and orders, servers covers servers and addresses, billing covers the ledger. " +
      "The key is shown only once. Programs pass it in IRONLEASE_API_KEY.",
  ],
  arguments: [{ name: "name", meaning: "Name of the key, up to 64 characters." }],
  options: {
    scope: { value: "SCOPE", required: true, choices: scopes, meaning: "What the key can read." },
    expires: {
      value: "WHEN",
      meaning: "Expiry: days from now such as 90d, or a date such as 2027-01-31. Default: never.",
    },
    networks: {
      value: "CIDRS",
      meaning: "Networks that the key works from, comma-separated. Default: anywhere.",
    },
  },
  showsOnce: true,
  fields: [
    ...["id", "name", "scope", "prefix", "createdAt", "expiresAt", "lastUsedAt"],
    ...["allowedNetworks", "key"],
  ],
  examples: [
    {
      line: "ironlease key create monitoring --scope servers --expires 90d",
      meaning: "A key that expires in 90 days.",
    },
    {
      line: "ironlease key create backup --scope read --networks 203.0.113.0/24,2001:db8::/32",
      meaning: "A key that works from two networks only.",
    },
    {
      line: "export IRONLEASE_API_KEY=$(ironlease key create ci --scope read --get key)",
      meaning: "Only the key, for a script.",
    },
  ],
  run: async ({ args, options, context }) => {
    const client = await context.member();
    const expiresAt = options.expires === undefined ? undefined : readExpiry(options.expires);
    const allowedNetworks = options.networks?.split(",").map((network) => network.trim());
    const request = { name: args.name, scope: options.scope, expiresAt, allowedNetworks };
    const created = await client.createApiKey(request, context.calling);
    const once = {
      secret: created.key,
      done: `The API key ${created.id} was created`,
      what: "its value",
      ifLost: ["Revoke it and create another:", `ironlease key revoke ${created.id} --yes`],
    };
    const text = (shown: typeof created, style: Style) => [
      record(style, [
        ["Key", style.yellow(shown.key)],
        ["Id", shown.id],
        ["Name", shown.name],
        ["Scope", shown.scope],
        ["Expires", shown.expiresAt === null ? "never" : minuteOf(shown.expiresAt)],
        ["Networks", shown.allowedNetworks?.join(", ") ?? "any"],
      ]),
      "",
      "Save the key now. It is shown only once.",
    ];
    return output(created, text, once);
  },
});

const dayMs = 24 * 3_600_000;

function readExpiry(text: string): string {
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  const at = days === undefined ? Date.parse(text) : Date.now() + Number(days) * dayMs;
  const isDate = days !== undefined || /^\d{4}-\d\d-\d\d/.test(text);
  if (!isDate || Number.isNaN(at)) {
    throw usageFailure("--expires must be days such as 90d, or a date such as 2027-01-31.");
  }
  return new Date(at).toISOString();
}
