import type { Context } from "#context.ts";
import { pages } from "./console-pages.ts";

interface Offer {
  readonly word: string;
  readonly meaning: string;
}

async function serversOf(context: Context): Promise<readonly Offer[]> {
  const { servers } = await (await context.reader()).listServers({}, context.calling);
  return servers.flatMap(({ id, hostname, label, state, configId, region }) => {
    const names = [hostname ?? "", label].filter((name) => name !== "");
    const meaning = `${state}, ${configId}, ${region}`;
    return (names.length === 0 ? [id] : names).map((word) => ({ word, meaning }));
  });
}

/** What a shell offers for each `completes` in the command table. */
export const offers = {
  servers: serversOf,
  pages: async (context) => [
    ...Object.keys(pages).map((word) => ({ word, meaning: "page of the console" })),
    // Pages are offered without a session too.
    ...(await serversOf(context).catch(() => [])),
  ],
  configurations: async (context) => {
    const { configurations } = await catalogueOf(context);
    return configurations.map(({ id, cpu, memoryGb }) => ({
      word: id,
      meaning: `${cpu}, ${memoryGb} GB`,
    }));
  },
  regions: async (context) => {
    const { regions } = await catalogueOf(context);
    return regions.map(({ id, name, country }) => ({ word: id, meaning: `${name}, ${country}` }));
  },
  systems: async (context) => {
    const { operatingSystems } = await catalogueOf(context);
    return operatingSystems.map(({ id, name }) => ({ word: id, meaning: name }));
  },
  "ssh-keys": async (context) => {
    const { sshKeys } = await (await context.member()).listSshKeys(context.calling);
    return sshKeys.map(({ name, fingerprint }) => ({ word: name, meaning: fingerprint }));
  },
  profiles: async ({ profiles }) =>
    Object.entries(profiles.read().profiles).map(([word, { url }]) => ({ word, meaning: url })),
} as const satisfies Readonly<Record<string, (context: Context) => Promise<readonly Offer[]>>>;

type Source = keyof typeof offers;

export const sources = Object.keys(offers) as readonly Source[];

async function catalogueOf(context: Context) {
  return (await context.anyone()).readCatalogue(context.calling);
}
