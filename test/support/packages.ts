import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { withFileLock } from "../../tools/file-lock.ts";
import { temporaryFolder } from "./daemon.ts";

const execute = promisify(execFile);
const repository = fileURLToPath(new URL("../..", import.meta.url));

/** The published packages, installed into an empty project as a user would install them. */
export interface InstalledPackages {
  readonly project: string;
  /** The folder of global commands, if they were installed globally. */
  readonly bin: string;
  /** The sizes of the packed files in bytes. */
  readonly packed: Readonly<Record<string, number>>;
}

/** Builds and packs every package, and installs one of them without a network. */
export async function installPackage(
  name: "cli" | "client",
  where: "globally" | "in a project",
): Promise<InstalledPackages> {
  const folder = temporaryFolder();
  const built = join(folder, "npm");
  await execute(process.execPath, [join(repository, "tools/release/packages.ts"), built]);
  const packages = readdirSync(built).map((entry) => join(built, entry));
  const { stdout } = await npm(["pack", "--json", ...packages], folder);
  const packed = JSON.parse(stdout) as readonly { name: string; filename: string; size: number }[];
  const archive = packed.find((pack) => pack.name === `@ironlease/${name}`)?.filename ?? "";

  const project = join(folder, "project");
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), '{ "type": "module", "private": true }\n');
  const prefix = join(folder, "prefix");
  const global = where === "globally" ? ["--global", "--prefix", prefix] : [];
  await npm(["install", "--offline", "--no-audit", ...global, join(folder, archive)], project);
  return {
    project,
    bin: join(prefix, "bin"),
    packed: Object.fromEntries(packed.map(({ name, size }) => [name, size])),
  };
}

/** With a cache of its own, because the home folder may be read-only. */
function npm(parameters: readonly string[], cwd: string) {
  const env = { ...process.env, npm_config_cache: join(cwd, ".npm") };
  return execute("npm", ["--silent", ...parameters], { cwd, env });
}

const oldestNode = "20.20.2";

/** The oldest Node that the packages support, from npm. It is fetched once, unless npm itself runs on that version. */
export async function fetchOldestNode(): Promise<string> {
  const folder = join(repository, ".cache", `node-${oldestNode}`);
  const node = join(folder, "node_modules/.bin/node");
  mkdirSync(folder, { recursive: true });
  await withFileLock(
    join(folder, "lock"),
    () => {},
    async () => {
      if (existsSync(node)) return;
      const { platform, arch } = process;
      const name = `${platform === "darwin" && arch === "arm64" ? "node-bin" : "node"}-${platform}-${arch}`;
      writeFileSync(join(folder, "package.json"), "{}\n");
      await npm(["install", "--no-audit", "--ignore-scripts", `${name}@${oldestNode}`], folder);
    },
  );
  return node;
}
