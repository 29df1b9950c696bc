import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { temporaryFolder } from "#test/daemon.ts";

const source = fileURLToPath(new URL("write-recorder.c", import.meta.url));
const compilers = ["cc", "gcc", "clang"];

/** Returns why this machine cannot record writes, or undefined if it can. */
export function recorderUnavailableReason(): string | undefined {
  if (process.platform !== "linux") return "Recording writes needs Linux.";
  if (findCompiler() !== undefined) return undefined;
  return `Recording writes needs a C compiler. Install one of: ${compilers.join(", ")}.`;
}

function findCompiler(): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const paths = compilers.flatMap((name) => folders.map((folder) => join(folder, name)));
  return paths.find((path) => existsSync(path));
}

let built: Promise<string> | undefined;

/** Environment that makes a process log its file changes under the root. Root and log must exist. */
export async function recorderEnvironment(root: string, log: string) {
  return {
    LD_PRELOAD: await (built ??= compile()),
    RECORDER_ROOT: root,
    RECORDER_LOG: log,
    // Writes through io_uring would bypass the recorder.
    UV_USE_IO_URING: "0",
  };
}

async function compile(): Promise<string> {
  const compiler = findCompiler();
  if (compiler === undefined) throw new Error(recorderUnavailableReason());
  const library = join(temporaryFolder(), "write-recorder.so");
  const flags = ["-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-pthread"];
  await promisify(execFile)(compiler, [...flags, "-o", library, source, "-ldl"]);
  return library;
}
