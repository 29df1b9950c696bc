import { spawn } from "node:child_process";
import module, { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";

const neededMajor = 26;

// Keeps compiled modules between starts, which makes the next start about twice as fast. In our own
// folder: what anybody may write to, as a shared temporary folder, must not become our code.
const compileCache = fileURLToPath(new URL("../.cache", import.meta.url));

/** Runs the script in this process if its Node is new enough, else on the Node that npm installed. */
export async function runOnPinnedNode(script) {
  if (Number(process.versions.node.split(".")[0]) >= neededMajor) {
    module.enableCompileCache(compileCache);
    await import(script.href);
    return;
  }
  const node = pinnedNode();
  if (node === undefined) {
    console.error(
      `Ironlease needs Node ${neededMajor} and this is ${process.versions.node}. ` +
        "Run npm ci without --omit=optional, which brings the right one along, or install it yourself.",
    );
    process.exit(1);
  }
  const child = spawn(node, [fileURLToPath(script), ...process.argv.slice(2)], {
    stdio: "inherit",
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
  });
  // Ctrl-C on a terminal reaches the child twice then: both programs take the second for the first.
  // Windows delivers it to both processes itself, and passing it on would end the child abruptly.
  const passedOn = process.platform === "win32" ? [] : ["SIGTERM", "SIGINT", "SIGHUP"];
  if (process.platform === "win32") process.on("SIGINT", () => {});
  for (const signal of passedOn) {
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
      return join(folder, "bin", platform === "win32" ? "node.exe" : "node");
    } catch {
      // Not the package of this machine, or left out of the installation: the next one may be there.
    }
  }
  return undefined;
}
