import { readdirSync } from "node:fs";

/** The resources of the API. Each has the same name in every package. */
export const nouns: readonly string[] = [
  // Visible to customers.
  "accounts",
  "account-export",
  "account-summary",
  "sessions",
  "passkeys",
  "activity",
  "api-keys",
  "ssh-keys",
  "contact",
  "catalogue",
  "orders",
  "servers",
  "network",
  "ledger",
  "statements",
  "liabilities",
  "deposits",
  "withdrawals",
  "withdrawal-addresses",
  "rates",
  "threads",
  "notices",
  "webhooks",
  "idempotency-keys",
  // Visible to operators only.
  "operators",
  "work",
  "checklists",
  "saved-replies",
  "machines",
  "subnets",
  "reverse-dns",
  "customers",
  "audit",
  "overview",
  "reports",
  "search",
  "settlement",
  "payouts",
];

interface NounFolder {
  /** Contains one file or folder per noun. */
  readonly folder: string;
  /** Other allowed names, each with the reason why it is not a noun. */
  readonly exceptions: Readonly<Record<string, string>>;
  /** Folders whose nouns must all have an entry here. */
  readonly mirrors?: readonly string[];
}

const contract = "packages/contract/src/operations";
const handlers = "packages/server/src/http/handlers";

const index = "combines the nouns";
const service = "health and the OpenAPI document, which describe the service itself";
const operator = "the operator API, which has its own entry";

const nounFolders: readonly NounFolder[] = [
  { folder: contract, exceptions: { index, service, operator } },
  {
    folder: `${contract}/operator`,
    exceptions: {
      service,
      "hardware-runs": "part of work",
      "machine-history": "part of machines",
      "operator-records": "part of operators",
      "account-notes": "part of customers",
      "customer-servers": "part of customers",
    },
  },
  {
    folder: handlers,
    exceptions: { index, service, operator, "account-erasures": "part of accounts" },
    mirrors: [contract],
  },
  {
    folder: `${handlers}/operator`,
    exceptions: {
      index,
      service,
      "customer-lists": "part of customers",
      "customer-servers": "part of customers",
      "customer-wire": "part of customers",
      "operator-records": "part of operators",
      "work-effects": "part of work",
    },
    mirrors: [`${contract}/operator`],
  },
  {
    folder: "packages/server/src/features",
    exceptions: {
      renewals: "a background job",
      verification: "checks the invariants across all nouns",
      housekeeping: "a background job",
      hardware: "a background job",
      certificates: "a background job",
    },
    mirrors: [contract, `${contract}/operator`],
  },
  {
    folder: "packages/cli/src/commands",
    exceptions: {
      index,
      api: "calls any operation by its path",
      completion: "prints a shell script",
      complete: "called by the shell script",
      open: "opens the console, for any noun",
      profiles: "settings on the customer's own machine",
    },
  },
  {
    folder: "packages/console/src/account/pages",
    exceptions: {
      "keys-page": "combines API keys and SSH keys",
      "security-page":
        "combines the account, its sessions, its contact and its withdrawal addresses",
    },
  },
  { folder: "packages/console/src/desk/pages", exceptions: {} },
];

/** Returns the names of the files and folders in a folder, without extensions. */
export type List = (folder: string) => readonly string[];

/** Returns one sentence per problem. */
export function checkNouns(list: List = listOnDisk): readonly string[] {
  return nounFolders.flatMap((folder) => checkFolder(list, folder));
}

function checkFolder(
  list: List,
  { folder, exceptions, mirrors = [] }: NounFolder,
): readonly string[] {
  const names = list(folder);
  const unknown = names.filter((name) => !nouns.includes(name) && !(name in exceptions));
  const wanted = new Set(mirrors.flatMap(list));
  const missing = nouns.filter((noun) => wanted.has(noun) && !names.includes(noun));
  const stale = Object.keys(exceptions).filter((name) => !names.includes(name));
  return [
    ...unknown.map((name) => `${folder}/${name} is not a noun of tools/nouns.ts`),
    ...missing.map((noun) => `${folder} has no ${noun}, although the contract has it`),
    ...stale.map((name) => `${folder}/${name} does not exist: remove it from tools/nouns.ts`),
  ];
}

export function listOnDisk(folder: string): readonly string[] {
  const names = readdirSync(new URL(`../${folder}`, import.meta.url));
  return [...new Set(names.map((name) => name.replace(/(?:\.test)?\.tsx?$/, "")))].toSorted();
}

if (import.meta.main) {
  const problems = checkNouns();
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else console.log(`All packages use the same ${nouns.length} nouns.`);
}
