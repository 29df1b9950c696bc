import { didYouMean, nearest, ownEntry } from "@ironlease/command-line";
import { command } from "#command.ts";
import { CommandFailure, usageFailure } from "#failures/failure.ts";
import { output } from "#output/output.ts";
import { pages } from "#steps/console-pages.ts";
import { findServerId } from "#steps/find-server.ts";
import { openInBrowser } from "#steps/browser.ts";

/** The console's pages of single records, by the prefix of their id. */
const records: Readonly<Record<string, string>> = {
  ord: "/order/placed/",
  srv: "/servers/",
  led: "/billing/entries/",
  dpa: "/billing/deposit/",
  thr: "/messages/",
  whk: "/webhooks/",
};

export const open = command({
  words: ["open"],
  summary: "Open a page of the console in the browser.",
  description: ["Prints the page's address where there is no browser to open."],
  arguments: [
    {
      name: "page",
      optional: true,
      completes: "pages",
      meaning: `A server, the id of a record, or one of ${Object.keys(pages).join(", ")}.`,
    },
  ],
  examples: [
    { line: "ironlease open", meaning: "The overview." },
    { line: "ironlease open web1.example.com", meaning: "The page of a server." },
  ],
  run: async ({ args: { page = "overview" }, context }) => {
    const path = ownEntry(pages, page) ?? recordPath(page) ?? (await serverPath(page));
    const url = `${context.target.profile.url}${path}`;
    const isOpened = await openInBrowser(url, context.io);
    return output({ url, isOpened }, (shown) => shown.url);

    async function serverPath(name: string): Promise<string> {
      const id = await findServerId(await context.reader(), name, context).catch(
        (error: unknown) => {
          throw withPages(error, name);
        },
      );
      return `/servers/${encodeURIComponent(id)}`;
    }
  },
});

/** The word may be a mistyped page. */
function withPages(error: unknown, name: string): unknown {
  if (!(error instanceof CommandFailure) || error.failure.code !== "not_found") return error;
  const { failure } = error;
  const near = didYouMean(nearest(name, Object.keys(pages)));
  return new CommandFailure({ ...failure, advice: [...near, ...(failure.advice ?? [])] });
}

function recordPath(id: string): string | undefined {
  const [, prefix = ""] = /^([a-z]{2,5})_\w+$/.exec(id) ?? [];
  if (prefix === "") return undefined;
  const path = ownEntry(records, prefix);
  if (path !== undefined) return `${path}${id}`;
  throw usageFailure(`The console has no page for ${id}.`, "ironlease open --help");
}
