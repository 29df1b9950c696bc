export interface Zone {
  name: string;
  /**
   * A regular expression for paths relative to the root. A file may import files of its own zone. If the
   * expression has a group, only those with the same text in the group.
   */
  path: string;
  mayImport: readonly string[];
  /** Marks the inside of the service, which must not import a web framework or a database driver. */
  inside?: true;
}

const consoleBase = ["console app", "console ui", "console data", "client", "contract"];
const toolkit = ["kernel sql", "kernel concurrency", "kernel result", "kernel hosts"];
const inside = ["features", "kernel", ...toolkit, "ports", "contract"];
const adapters = ["adapters", "shared adapters"];

const outsideCli = ["command line", "client", "contract"];
const cliFoundation = ["cli failures", "cli output", "cli options", ...outsideCli];

/** The layers of the CLI, from the entry down. */
const cli: readonly Zone[] = [
  {
    name: "cli entry",
    path: "^packages/cli/src/(?:main|run)\\.",
    mayImport: ["cli commands", "cli reports", "cli context", ...cliFoundation],
  },
  {
    name: "cli commands",
    path: "^packages/cli/src/(?:commands/|completion\\.test\\.)",
    mayImport: ["cli steps", "cli context", "cli profiles", "age", ...cliFoundation],
  },
  {
    name: "cli steps",
    path: "^packages/cli/src/steps/",
    mayImport: ["cli context", "cli profiles", "age", "statement", ...cliFoundation],
  },
  {
    name: "cli context",
    path: "^packages/cli/src/(?:command|context|connection)\\.",
    mayImport: ["cli profiles", ...cliFoundation],
  },
  {
    name: "cli reports",
    path: "^packages/cli/src/reports/",
    mayImport: ["cli profiles", ...cliFoundation],
  },
  {
    name: "cli profiles",
    path: "^packages/cli/src/(?:profiles/|proxy\\.)",
    mayImport: cliFoundation,
  },
  {
    name: "cli failures",
    path: "^packages/cli/src/failures/",
    mayImport: ["cli output", "cli options", ...outsideCli],
  },
  {
    name: "cli output",
    path: "^packages/cli/src/output/",
    mayImport: ["cli options", ...outsideCli],
  },
  {
    name: "cli options",
    path: "^packages/cli/src/(?:io|shared-options|shell-line|version|vocabulary)\\.",
    mayImport: outsideCli,
  },
];

/** Every source file belongs to exactly one zone, and imports point down this table only. */
export const zones: readonly Zone[] = [
  {
    // The entry point, routes, the shell, and pages that combine several nouns.
    name: "console account entry",
    path: "^packages/console/src/account/(?:pages/)?[^/]+$",
    mayImport: ["console account pages", "console account", ...consoleBase],
  },
  {
    name: "console account pages",
    path: "^packages/console/src/account/pages/([^/]+)/",
    mayImport: ["console account", "csv", "statement", ...consoleBase],
  },
  {
    name: "console account",
    path: "^packages/console/src/account/(?:data|shared)/",
    mayImport: consoleBase,
  },
  {
    name: "console desk entry",
    path: "^packages/console/src/desk/(?:pages/)?[^/]+$",
    mayImport: ["console desk pages", "console desk", ...consoleBase],
  },
  {
    name: "console desk pages",
    path: "^packages/console/src/desk/pages/([^/]+)/",
    mayImport: ["console desk", "csv", "age", ...consoleBase],
  },
  {
    name: "console desk",
    path: "^packages/console/src/desk/(?:data|shared)/",
    mayImport: consoleBase,
  },
  {
    name: "console app",
    path: "^packages/console/src/app/",
    mayImport: ["console ui", "console data", "client", "contract"],
  },
  {
    name: "console ui",
    path: "^packages/console/src/ui/",
    mayImport: ["console data", "client", "contract"],
  },
  { name: "console data", path: "^packages/console/src/data/", mayImport: ["client", "contract"] },
  ...cli,
  { name: "command line", path: "^packages/command-line/src/", mayImport: ["csv"] },
  { name: "csv", path: "^packages/csv/src/", mayImport: [] },
  { name: "age", path: "^packages/age/src/", mayImport: [] },
  { name: "statement", path: "^packages/statement/src/", mayImport: ["csv"] },
  { name: "client", path: "^packages/client/src/", mayImport: ["contract"] },

  {
    name: "commands",
    path: "^packages/server/src/(?:cli\\.|commands/)",
    mayImport: ["command line", "csv", "composition", "config", ...inside, "migrations"],
  },
  // The composition root. Only it chooses adapters and optimisations.
  {
    name: "composition",
    path: "^packages/server/src/composition/",
    mayImport: ["config", "speed", "http", ...inside, "migrations", ...adapters],
  },
  // Optimisations: wrappers around handlers and around the connections of adapters.
  {
    name: "speed",
    path: "^packages/server/src/speed/",
    mayImport: ["http", ...inside, "adapters"],
  },
  {
    name: "config",
    path: "^packages/server/src/(?:config|settings|certificate-settings|settlement-settings|hardware-settings|key-settings|retention-settings|mail-settings|account-limit-settings|webhook-settings|work-settings|setting-readers|mail-setting-readers|version)\\.",
    mayImport: ["kernel hosts", "ports", "contract"],
  },
  {
    name: "http",
    path: "^packages/server/src/http/",
    mayImport: ["reference", "csv", "statement", ...inside],
  },
  {
    name: "features",
    path: "^packages/server/src/features/([^/]+)/",
    mayImport: ["kernel", ...toolkit, "ports", "contract", "age", "statement"],
    inside: true,
  },
  {
    name: "kernel",
    path: "^packages/server/src/kernel/(?!sql/|concurrency/|(?:result|checked|networks|public-url)\\.)",
    mayImport: [...toolkit, "ports", "contract", "statement"],
    inside: true,
  },
  // Building blocks without business logic, so adapters may use them too.
  {
    name: "kernel sql",
    path: "^packages/server/src/kernel/sql/",
    mayImport: ["ports", "contract"],
    inside: true,
  },
  {
    name: "kernel concurrency",
    path: "^packages/server/src/kernel/concurrency/",
    mayImport: [],
    inside: true,
  },
  {
    name: "kernel result",
    path: "^packages/server/src/kernel/result\\.",
    mayImport: ["ports", "contract"],
    inside: true,
  },
  {
    name: "kernel hosts",
    path: "^packages/server/src/kernel/(?:checked|database-hosts|networks|public-url)\\.",
    mayImport: [],
    inside: true,
  },
  {
    name: "adapters",
    path: "^packages/server/src/adapters/([^/]+)/",
    mayImport: ["shared adapters", ...toolkit, "ports", "contract"],
  },
  {
    name: "shared adapters",
    path: "^packages/server/src/adapters/[^/]+$",
    mayImport: [...toolkit, "ports", "contract"],
  },
  {
    name: "migrations",
    path: "^packages/server/src/migrations/",
    mayImport: ["ports", "contract"],
  },
  { name: "ports", path: "^packages/server/src/ports/", mayImport: ["contract"], inside: true },
  { name: "reference", path: "^packages/reference/src/", mayImport: ["contract"] },
  { name: "contract", path: "^packages/contract/src/", mayImport: [], inside: true },
];

/** These may import every zone, and no zone may import them. */
export const edges: readonly Pick<Zone, "name" | "path">[] = [
  { name: "test", path: "^test/" },
  { name: "tools", path: "^tools/" },
  { name: "bench", path: "^bench/" },
  { name: "bin", path: "^packages/[^/]+/bin/" },
  { name: "build configuration", path: "^packages/[^/]+/[^/]+\\.config\\.ts$" },
];

/** Tests next to a source file follow the rules of its zone and may also import test support. */
export const testFile = "\\.test\\.tsx?$";
export const testSupport = "^test/support/";

/** Packages and Node modules that the inside must not import. */
export const outsidePackages: readonly string[] = ["pg"];
export const outsideModules: readonly string[] = ["sqlite", "http", "https"];
