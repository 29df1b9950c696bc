import { spawn } from "node:child_process";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";

export interface AptGet {
  /** Downloads the packages, and those that they need and the system lacks, and unpacks them. */
  unpack(packages: readonly string[], root: string): Promise<void>;
}

/** A command that failed. Its message has the lines that say why. */
export class CommandFailed extends Error {}

/**
 * An apt-get with lists and downloads in a folder of its own, so that it needs no root and leaves the
 * system as it is. It uses the system's sources, keys and proxies. Every command inherits the locked
 * descriptor, so that the lock also covers one that outlives this process.
 */
export async function openAptGet(
  folder: string,
  lock: number,
  furtherSettings: Readonly<Record<string, string>> = {},
): Promise<AptGet> {
  const archives = join(folder, "cache", "archives");
  await mkdir(join(folder, "lists", "partial"), { recursive: true });
  await mkdir(join(archives, "partial"), { recursive: true });
  const settings = {
    "Dir::State::lists": join(folder, "lists"),
    "Dir::Cache": join(folder, "cache"),
    "Debug::NoLocking": "true",
    // As root, apt-get would download as a user that may lack access to the folder.
    "APT::Sandbox::User": "root",
    "Acquire::Languages": "none",
    "Acquire::Retries": "2",
    "Acquire::http::Timeout": "20",
    "Acquire::https::Timeout": "20",
    ...furtherSettings,
  };
  const lines = Object.entries(settings).map(
    ([name, value]) => `${name} ${JSON.stringify(value)};`,
  );
  // These run commands on the system's own lists and downloads, which are not the ones in use here.
  lines.push("#clear APT::Update::Post-Invoke;", "#clear APT::Update::Post-Invoke-Success;");
  const configuration = join(folder, "apt.conf");
  await writeFile(configuration, `${lines.join("\n")}\n`);

  const aptGet = (...rest: string[]): Promise<string> =>
    run(lock, "apt-get", ["--config-file", configuration, "--assume-yes", ...rest]);
  // One unreachable source fails the update, but the packages may come from another one.
  const warnings = await aptGet("update").then(problemsIn, messageOfFailure);
  return {
    unpack: async (packages, root) => {
      try {
        await aptGet(
          ...["--download-only", "--no-install-recommends", "--reinstall", "install", ...packages],
        );
      } catch (error) {
        throw new CommandFailed([...warnings, ...messageOfFailure(error)].join("\n"));
      }
      await mkdir(root, { recursive: true });
      for (const name of await readdir(archives)) {
        if (!name.endsWith(".deb")) continue;
        await run(lock, "dpkg-deb", ["--extract", join(archives, name), root]);
        await rm(join(archives, name));
      }
    },
  };
}

async function run(lock: number, command: string, parameters: readonly string[]): Promise<string> {
  const child = spawn(command, parameters, {
    env: { ...process.env, LC_ALL: "C", DEBIAN_FRONTEND: "noninteractive" },
    stdio: ["ignore", "pipe", "pipe", lock],
  });
  const exit = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject).once("close", resolve);
  });
  // With four descriptors the types do not tell that two of them are pipes.
  const [output, errors] = [child.stdout, child.stderr].map((stream) => text(stream as Readable));
  const [code, ...both] = await Promise.all([exit, output, errors]);
  const all = both.join("");
  if (code === 0) return all;
  const problems = problemsIn(all);
  throw new CommandFailed(problems.length > 0 ? problems.join("\n") : all.trim());
}

function messageOfFailure(error: unknown): readonly string[] {
  if (error instanceof CommandFailed) return [error.message];
  throw error;
}

function problemsIn(output: string): readonly string[] {
  return output.split("\n").filter((line) => /^(?:[EW]:|dpkg-deb: error)/.test(line));
}
