export interface Zone {
  name: string;
  /**
   * A regular expression over a file's path from the root. A file may always import its own zone;
   * where the expression has a group, only those of its zone that share the group's text.
   */
  path: string;
  mayImport: readonly string[];
  /** The inside of the service: it knows neither a web framework nor a database driver. */
  inside?: true;
}

const consoleBase = ["console app", "console ui", "console data", "client", "contract"];
const toolkit = ["kernel sql", "kernel concurrency"];
const inside = ["features", "kernel", ...toolkit, "ports", "contract"];

/** Every source file belongs to exactly one zone, and imports point down this table only. */
export const zones: readonly Zone[] = [
  { name: "console", path: "^packages/console/src/", mayImport: ["client", "contract"] },
  { name: "cli", path: "^packages/(?:cli|command-line)/src/", mayImport: ["client", "contract"] },
  { name: "client", path: "^packages/client/src/", mayImport: ["contract"] },

  {
    name: "main",
    path: "^packages/server/src/(?:composition/|cli\\.|commands/)",
    mayImport: ["config", "speed", "http", ...inside, "adapters", "shared adapters", "migrations"],
  },
  // Optimisations: wrappers around handlers and around the connections of adapters.
  {
    name: "speed",
    path: "^packages/server/src/speed/",
    mayImport: ["http", ...inside, "adapters"],
  },
  {
    name: "config",
    path: "^packages/server/src/(?:config|settings|setting-readers|version)\\.",
    mayImport: ["ports", "contract"],
  },
  { name: "http", path: "^packages/server/src/http/", mayImport: inside },
  {
    name: "features",
    path: "^packages/server/src/features/([^/]+)/",
    mayImport: ["kernel", ...toolkit, "ports", "contract"],
    inside: true,
  },
  {
    name: "kernel",
    path: "^packages/server/src/kernel/(?!sql/|concurrency/)",
    mayImport: [...toolkit, "ports", "contract"],
    inside: true,
  },
  // Building blocks that know nothing of the business, so adapters may use them as well.
  {
    name: "kernel sql",
    path: "^packages/server/src/kernel/sql/",
    mayImport: ["ports", "contract"],
    inside: true,
  },
  {
    name: "kernel concurrency",
    path: "^packages/server/src/kernel/concurrency/",
    mayImport: ["ports"],
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
  { name: "contract", path: "^packages/contract/src/", mayImport: [], inside: true },
];

/** The edges of the repository may import all of ours, and no zone above may import them. */
export const edges: readonly Pick<Zone, "name" | "path">[] = [
  { name: "test", path: "^test/" },
  { name: "tools", path: "^tools/" },
  { name: "bench", path: "^bench/" },
  { name: "bin", path: "^packages/[^/]+/bin/" },
  { name: "build configuration", path: "^packages/[^/]+/[^/]+\\.config\\.ts$" },
];

/** Tests beside a source file obey its zone, and may use what tests share. */
export const testFile = "\\.test\\.tsx?$";
export const testSupport = "^test/support/";

/** What the inside must not import: packages, and modules of Node. */
export const outsidePackages: readonly string[] = ["pg"];
export const outsideModules: readonly string[] = ["sqlite", "http", "https"];
