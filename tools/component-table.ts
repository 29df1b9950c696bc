/** A program of another project that tests run, such as a node of a blockchain. */
export interface Component {
  /** The Debian packages that contain it. apt-get adds the packages that these depend on. */
  readonly packages: readonly string[];
  /** The programs by name, each with its path below the root of a file system. */
  readonly programs: Readonly<Record<string, string>>;
  readonly version: {
    /** One of the programs. */
    readonly program: string;
    readonly arguments: readonly string[];
    /** Its first group is the version in what the program prints. */
    readonly pattern: RegExp;
    readonly minimum: string;
  };
}

export const componentTable = {
  litecoind: {
    packages: ["litecoind"],
    // Debian's /usr/bin/litecoind is a script that writes to the home folder before it starts this one.
    programs: { litecoind: "usr/lib/litecoin/litecoind" },
    version: {
      program: "litecoind",
      arguments: ["-version"],
      pattern: /version v(\d+(?:\.\d+)+)/,
      minimum: "0.21.2",
    },
  },
} as const satisfies Readonly<Record<string, Component>>;

export type ComponentName = keyof typeof componentTable;

export const componentNames = Object.keys(componentTable) as readonly ComponentName[];
