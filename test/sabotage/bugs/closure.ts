import type { PlantedBug } from "../planted-bug.ts";

const server = "packages/server/src";
const empty = `${server}/features/accounts/require-empty.ts`;
const close = `${server}/features/accounts/close-account.ts`;
const tests = ["test/account-data.test.ts"];

/** The export and the closure of accounts. */
export const closureBugs: readonly PlantedBug[] = [
  {
    name: "closes-with-a-server",
    thought: "The server ends by itself when its term does.",
    file: empty,
    find: "  if (servers > 0) {\n",
    replace: "  if (servers > 1_000) {\n",
    tests,
  },
  {
    name: "closes-with-held-money",
    thought: "The withdrawal is on its way.",
    file: empty,
    find: "  if (held > 0) {\n",
    replace: "  if (held < 0) {\n",
    tests,
  },
  {
    name: "sessions-survive-the-closure",
    thought: "Without a password, no one can sign in.",
    file: close,
    find: "    await endAllAccess(tx, accountId);\n",
    replace: "    void endAllAccess;\n",
    tests,
  },
  {
    name: "contact-survives-the-closure",
    thought: "Mails have their own settings.",
    file: `${server}/http/handlers/account-erasures.ts`,
    find: "  eraseContact,\n  eraseWebhooks,\n",
    replace: "  eraseWebhooks,\n  ...(eraseContact.length > 9 ? [eraseContact] : []),\n",
    tests,
  },
  {
    name: "closed-account-is-credited",
    thought: "An adjustment is the operators' own decision.",
    file: `${server}/features/customers/adjust-balance.ts`,
    find: '"not_found" || cents > 0)) return open;\n',
    replace: '"not_found")) return open;\n',
    tests,
  },
  {
    name: "export-ends-after-a-page",
    thought: "No account has more than a hundred of anything.",
    file: `${server}/http/handlers/account-export.ts`,
    find: "    last = rows.at(-1);\n",
    replace: "    last = rows.at(-1);\n    if (last !== undefined) return;\n",
    tests,
  },
];
