import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { temporaryFolder } from "#test/daemon.ts";

const source = fileURLToPath(new URL("write-recorder.c", import.meta.url));
const compilers = ["cc", "gcc", "clang"];

/** Why writes cannot be recorded on this machine; undefined when they can. */
export function whyNoRecorder(): string | undefined {
  if (process.platform !== "linux") return "writes are recorded on Linux only";
  if (findCompiler() !== undefined) return undefined;
  return `a C compiler is needed to record writes: install one as ${compilers.join(", ")}`;
}

function findCompiler(): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const places = compilers.flatMap((name) => folders.map((folder) => join(folder, name)));
  return places.find((place) => existsSync(place));
}

let built: Promise<string> | undefined;

/** Makes a process append to the log what it does to files under the root; both must be there. */
export async function recorderEnvironment(root: string, log: string) {
  return {
    LD_PRELOAD: await (built ??= compile()),
    RECORDER_ROOT: root,
    RECORDER_LOG: log,
    // Writes that the kernel is handed through a ring do not pass by the recorder.
    UV_USE_IO_URING: "0",
  };
}

/** Once for this process, into a folder that goes with it. */
async function compile(): Promise<string> {
  const compiler = findCompiler();
  if (compiler === undefined) throw new Error(whyNoRecorder());
  const library = join(temporaryFolder(), "write-recorder.so");
  const flags = ["-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-pthread"];
  await promisify(execFile)(compiler, [...flags, "-o", library, source, "-ldl"]);
  return library;
}
