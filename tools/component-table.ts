/** A program of another project that tests run, such as a node of a blockchain. */
export interface Component {
  /** The Debian packages that contain it. apt-get adds the packages that these depend on. */
  readonly packages: readonly string[];
  /** The programs by name, each with its path below the root of a file system, which may be a glob pattern. */
  readonly programs: Readonly<Record<string, string>>;
  readonly version: {
    /** One of the programs. */
    readonly program: string;
    readonly arguments: readonly string[];
    /** Its first group is the version in what the program prints. Without a group, any version will do. */
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
  chromium: {
    packages: ["chromium"],
    // Debian's /usr/bin/chromium is a script that reads the system's settings.
    programs: { chromium: "usr/lib/chromium/chromium" },
    version: {
      program: "chromium",
      arguments: ["--version"],
      pattern: /Chromium (\d+(?:\.\d+)+)/,
      minimum: "140",
    },
  },
  age: {
    packages: ["age"],
    programs: { age: "usr/bin/age" },
    version: {
      program: "age",
      arguments: ["--version"],
      pattern: /^v?(\d+(?:\.\d+)+)/,
      minimum: "1.1",
    },
  },
  pgbouncer: {
    packages: ["pgbouncer"],
    programs: { pgbouncer: "usr/sbin/pgbouncer" },
    version: {
      program: "pgbouncer",
      arguments: ["--version"],
      pattern: /PgBouncer (\d+(?:\.\d+)+)/,
      minimum: "1.18",
    },
  },
  promtool: {
    packages: ["prometheus"],
    programs: { promtool: "usr/bin/promtool" },
    version: {
      program: "promtool",
      arguments: ["--version"],
      pattern: /promtool, version (\d+(?:\.\d+)+)/,
      minimum: "2.42",
    },
  },
  pebble: {
    packages: ["pebble"],
    programs: { pebble: "usr/bin/pebble", "pebble-challtestsrv": "usr/bin/pebble-challtestsrv" },
    version: {
      program: "pebble",
      arguments: ["-h"],
      // It prints no version.
      pattern: /^Usage of \S*pebble:/m,
      minimum: "2.4",
    },
  },
  openssh: {
    packages: ["openssh-client"],
    programs: { ssh: "usr/bin/ssh", "ssh-keygen": "usr/bin/ssh-keygen" },
    version: {
      program: "ssh",
      arguments: ["-V"],
      pattern: /OpenSSH_(\d+(?:\.\d+)+)/,
      minimum: "9",
    },
  },
  monero: {
    packages: ["monero"],
    programs: {
      monerod: "usr/bin/monerod",
      "monero-wallet-rpc": "usr/bin/monero-wallet-rpc",
      "monero-wallet-cli": "usr/bin/monero-wallet-cli",
    },
    version: {
      program: "monerod",
      arguments: ["--version"],
      pattern: /v(\d+(?:\.\d+)+)/,
      minimum: "0.18.0",
    },
  },
  powerdns: {
    packages: ["pdns-server", "pdns-backend-sqlite3"],
    programs: { pdns_server: "usr/sbin/pdns_server" },
    version: {
      program: "pdns_server",
      arguments: ["--version"],
      pattern: /(?:Server |Version: )(\d+(?:\.\d+)+)/,
      minimum: "4.7",
    },
  },
  ipmi: {
    packages: ["openipmi", "ipmitool"],
    programs: { ipmi_sim: "usr/bin/ipmi_sim", ipmitool: "usr/bin/ipmitool" },
    version: {
      program: "ipmitool",
      arguments: ["-V"],
      pattern: /version (\d+(?:\.\d+)+)/,
      minimum: "1.8.18",
    },
  },
  redfish: {
    // Two clients of other projects, which check the tests' own controller.
    packages: ["redfishtool", "python3-sushy"],
    programs: { redfishtool: "usr/bin/redfishtool" },
    version: {
      program: "redfishtool",
      arguments: ["-V"],
      pattern: /Version: (\d+(?:\.\d+)+)/,
      minimum: "1.1",
    },
  },
  systemd: {
    packages: ["systemd"],
    programs: { "systemd-analyze": "usr/bin/systemd-analyze" },
    version: {
      program: "systemd-analyze",
      arguments: ["--version"],
      pattern: /^systemd (\d+)/,
      minimum: "247",
    },
  },
  patroni: {
    packages: ["patroni"],
    programs: { patroni: "usr/bin/patroni" },
    version: {
      program: "patroni",
      arguments: ["--version"],
      pattern: /patroni (\d+(?:\.\d+)+)/,
      minimum: "3.0",
    },
  },
  etcd: {
    packages: ["etcd-server"],
    programs: { etcd: "usr/bin/etcd" },
    version: {
      program: "etcd",
      arguments: ["--version"],
      pattern: /etcd Version: (\d+(?:\.\d+)+)/,
      minimum: "3.4",
    },
  },
  haproxy: {
    packages: ["haproxy"],
    programs: { haproxy: "usr/sbin/haproxy" },
    version: {
      program: "haproxy",
      arguments: ["-v"],
      pattern: /version (\d+(?:\.\d+)+)/,
      minimum: "2.4",
    },
  },
  pgbackrest: {
    packages: ["pgbackrest"],
    programs: { pgbackrest: "usr/bin/pgbackrest" },
    version: {
      program: "pgbackrest",
      arguments: ["version"],
      pattern: /pgBackRest (\d+(?:\.\d+)+)/,
      minimum: "2.44",
    },
  },
  postgresql: {
    // Patroni needs programs that the npm package of the other tests lacks, such as pg_rewind.
    packages: ["postgresql"],
    programs: {
      postgres: "usr/lib/postgresql/*/bin/postgres",
      pg_rewind: "usr/lib/postgresql/*/bin/pg_rewind",
    },
    version: {
      program: "postgres",
      arguments: ["--version"],
      pattern: /\(PostgreSQL\) (\d+(?:\.\d+)+)/,
      minimum: "15",
    },
  },
} as const satisfies Readonly<Record<string, Component>>;

export type ComponentName = keyof typeof componentTable;

export const componentNames = Object.keys(componentTable) as readonly ComponentName[];

/** The npm package of Chromium is for x64 only. */
export const isChromiumFromDebian = process.arch === "arm64";

const { patroni, etcd, haproxy, pgbackrest, postgresql, ...components } = componentTable;

/** Only `npm run failover` needs these. */
export const failoverComponents = { patroni, etcd, haproxy, pgbackrest, postgresql } as const;

/** The components that tests on this machine need. */
export const neededComponents: Readonly<Record<string, Component>> = Object.fromEntries(
  Object.entries(components).filter(([name]) => name !== "chromium" || isChromiumFromDebian),
);
