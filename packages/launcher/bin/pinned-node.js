import { spawn } from "node:child_process";
import { accessSync, constants as access } from "node:fs";
import module, { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";

const neededMajor = 26;

// Caches compiled modules, which halves the time of the next start. The cache is in our own folder, because
// other users could plant code in a shared temporary folder.
const compileCache = fileURLToPath(new URL("../.cache", import.meta.url));

/** Runs the script in this process if its Node is new enough, otherwise on the Node that npm installed. */
export async function runOnPinnedNode(script) {
  if (Number(process.versions.node.split(".")[0]) >= neededMajor) {
    module.enableCompileCache(compileCache);
    await import("./resolve-once.js");
    await import(script.href);
    return;
  }
  const node = pinnedNode();
  if (node === undefined) {
    console.error(
      `Ironlease needs Node ${neededMajor}; this is Node ${process.versions.node}. ` +
        `Run npm ci without --omit=optional to install it with the project, or install Node ${neededMajor} yourself.`,
    );
    process.exit(1);
  }
  const args = [fileURLToPath(script), ...process.argv.slice(2)];
  const env = { ...process.env, NODE_COMPILE_CACHE: compileCache };
  if (canReplaceProcess()) process.execve(node, [node, ...args], env);
  else runAsChild(node, args, env);
}

/**
 * `execve` replaces this process, so no wrapper process of some 40 MB remains and signals reach the program
 * directly. Node has it since 22.15 and 23.11, but not on Windows. The warning that it is experimental is never
 * printed, because Node would print it on the next tick.
 */
function canReplaceProcess() {
  return typeof process.execve === "function" && process.platform !== "win32";
}

/** Keeps this process as a parent that forwards signals and the exit code. */
function runAsChild(node, args, env) {
  const child = spawn(node, args, { stdio: "inherit", env });
  // On a terminal, Ctrl-C reaches the child twice: from the terminal and from here. Both programs ignore the
  // second signal. Windows delivers Ctrl-C to both processes, and child.kill would end the child abruptly.
  const forwarded = process.platform === "win32" ? [] : ["SIGTERM", "SIGINT", "SIGHUP"];
  if (process.platform === "win32") process.on("SIGINT", () => {});
  for (const signal of forwarded) {
    process.on(signal, () => child.kill(signal));
  }
  child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

function pinnedNode() {
  const { platform, arch } = process;
  const names = [
    `node-${platform === "win32" ? "win" : platform}-${arch}`,
    `node-bin-${platform}-${arch}`,
  ];
  const require = createRequire(import.meta.url);
  for (const name of names) {
    try {
      const folder = dirname(require.resolve(`${name}/package.json`));
      const node = join(folder, "bin", platform === "win32" ? "node.exe" : "node");
      // Check the file first, because a failing execve aborts the process.
      accessSync(node, access.X_OK);
      return node;
    } catch {
      // Another platform's package, or npm ci left it out. Try the next name.
    }
  }
  return undefined;
}
