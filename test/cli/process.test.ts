import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { openCliHarness, type CliHarness } from "#test/cli-harness.ts";
import { temporaryFolder } from "#test/daemon.ts";
import { hasPty, onTerminal } from "#test/pty.ts";
import { password } from "#test/service.ts";
import { runShell } from "#test/shell.ts";

const packages = fileURLToPath(new URL("../../packages/", import.meta.url));
const bin = join(packages, "cli/bin/ironlease.js");

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The program as people start it: a process of its own. */
function start(
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  options: { readonly node?: string; readonly piped?: string; readonly cwd?: string } = {},
) {
  const { node = process.execPath, piped = "", cwd } = options;
  const child = spawn(node, [bin, ...argv], { cwd, env: { PATH: process.env["PATH"], ...env } });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdin.end(piped);
  const ended = new Promise<Ended>((resolve) =>
    child.once("close", (code) => resolve({ code, stdout, stderr })),
  );
  return { child, ended };
}

/** A Node that is older than the pinned one, where the machine has one. */
const older = (process.env["PATH"] ?? "")
  .split(delimiter)
  .map((folder) => join(folder, "node"))
  .filter((path) => existsSync(path) && !path.includes("node_modules"))
  .find((path) => {
    const { stdout } = spawnSync(path, ["--version"], { encoding: "utf8" });
    const major = Number(/^v(\d+)/.exec(stdout)?.[1]);
    return major >= 20 && major < 26;
  });
const skipOlder = older === undefined && "this machine has no older Node";

let place: CliHarness;
let service: string[];
before(async () => {
  place = await openCliHarness();
  service = ["--url", place.daemon.url, "--ca", place.ca];
});
after(() => place.close());

describe("ironlease as a process", () => {
  test("it signs in, reads, writes and signs out, from the data folder's side", async () => {
    const env = { XDG_CONFIG_HOME: temporaryFolder() };
    const argv = ["register", "process", "--url", place.daemon.url, "--ca", "data/tls/ca.pem"];
    const options = { piped: `${password}\n`, cwd: place.folder };
    const registered = await start([...argv, "--password-stdin"], env, options).ended;
    assert.equal(registered.code, 0, registered.stderr);
    const file = join(env.XDG_CONFIG_HOME, "ironlease", "profiles.json");
    chmodSync(file, 0o640);
    const whoami = await start(["whoami", "--get", "username"], env).ended;
    assert.equal(whoami.stdout, "process\n");
    assert.match(whoami.stderr, /was readable by other users/);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const deposit = await start(["deposit", "create", "BTC", "--json"], env).ended;
    assert.match(JSON.parse(deposit.stdout).address, /^sim-btc-/);
    assert.equal(deposit.stderr, "");
    assert.equal((await start(["logout"], env).ended).code, 0);
    assert.doesNotMatch(readFileSync(file, "utf8"), /sessionCookie/);
  });

  test("exit codes reach the shell, and nothing waits where nobody can answer", async () => {
    const { env } = await place.newCustomer();
    const codes = await Promise.all(
      [["whoami"], ["frobnicate"], ["server", "show", "nobody"], ["password"]].map(
        async (argv) => (await start(argv, env).ended).code,
      ),
    );
    assert.deepEqual(codes, [0, 2, 6, 2]);
  });

  test("Ctrl-C ends a watch with exit 130", async () => {
    const { env } = await place.newCustomer();
    const { child, ended } = start(["deposit", "watch"], env);
    child.stderr.on("data", (chunk: Buffer) => {
      if (chunk.toString().includes("Waiting for a payment")) child.kill("SIGINT");
    });
    const { code, stderr } = await ended;
    assert.equal(code, 130);
    assert.match(stderr, /Interrupted/);
  });

  test("a reader that has seen enough is no error", async () => {
    const line = `"${process.execPath}" "${bin}" catalogue list ${service.join(" ")} | head -1`;
    const { stdout, stderr } = runShell("sh", ["-c", line]);
    assert.match(stdout, /^CONFIG/);
    assert.equal(stderr, "");
  });

  /** Runs it with standard output at that file descriptor. */
  function into(stdout: number, argv: readonly string[], env: Readonly<Record<string, string>>) {
    const child = spawn(process.execPath, [bin, ...argv], {
      env: { PATH: process.env["PATH"], ...env },
      stdio: ["ignore", stdout, "pipe"],
    });
    let stderr = "";
    child.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    return new Promise<Omit<Ended, "stdout">>((resolve) =>
      child.once("close", (code) => resolve({ code, stderr })),
    );
  }

  /** A pipe whose reader has gone. */
  function brokenPipe(): number {
    const path = join(temporaryFolder(), "pipe");
    assert.equal(spawnSync("mkfifo", [path]).status, 0);
    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const writer = openSync(path, "w");
    closeSync(reader);
    return writer;
  }

  test("a secret that could not be shown is not asked for: full device, pipe without reader", async () => {
    const customer = await place.newCustomer();
    const full = openSync("/dev/full", "w");
    for (const stdout of [full, brokenPipe()]) {
      for (const more of [[], ["--json"], ["--get", "key"]]) {
        const argv = ["key", "create", "unseen", "--scope", "read", ...more];
        const { code, stderr } = await into(stdout, argv, customer.env);
        assert.equal(code, 2, stderr);
        assert.match(stderr, /Cannot write to standard output: .*nothing was sent/);
        assert.doesNotMatch(stderr, /\n {4}at /);
      }
      closeSync(stdout);
    }
    assert.deepEqual((await customer.json(["key", "list"])).apiKeys, []);
  });

  test("a secret that is lost all the same is exit 1, with the command that revokes the key", async () => {
    const customer = await place.newCustomer();
    const file = join(temporaryFolder(), "key");
    const line = `ulimit -f 0; "${process.execPath}" "${bin}" key create lost --scope read > "${file}"`;
    const { status, stderr } = spawnSync("bash", ["--norc", "--noprofile", "-c", line], {
      encoding: "utf8",
      env: { PATH: process.env["PATH"], ...customer.env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    assert.equal(status, 1, stderr);
    assert.match(stderr, /was created, but its value could not be written.*\(EFBIG\)/);
    assert.doesNotMatch(stderr, /svk_|\n {4}at /);
    const [{ id }] = (await customer.json(["key", "list"])).apiKeys;
    assert.ok(stderr.includes(`ironlease key revoke ${id} --yes`));
  });

  test("output that cannot be written is exit 1 and a sentence, and for a reader that has gone exit 0", async () => {
    const { env } = await place.newCustomer();
    const full = openSync("/dev/full", "w");
    for (const argv of [["catalogue", "list", ...service], ["--help"], ["--version"]]) {
      const { code, stderr } = await into(full, argv, env);
      assert.equal(code, 1, stderr);
      assert.match(stderr, /could not be written to standard output: .*\(ENOSPC\)/);
      assert.doesNotMatch(stderr, /\n {4}at /);
    }
    closeSync(full);
    const broken = brokenPipe();
    const { code, stderr } = await into(broken, ["catalogue", "list", ...service], env);
    closeSync(broken);
    assert.deepEqual([code, stderr], [0, ""]);
  });

  test("npm exec finds it from anywhere in the project", () => {
    const { status, stdout } = spawnSync("npm", ["exec", "--", "ironlease", "--version"], {
      ...{ cwd: packages, encoding: "utf8" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    assert.equal(status, 0);
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
  });

  test("started on an older Node it runs on the pinned one", { skip: skipOlder }, async () => {
    const node = older ?? "";
    const env = { XDG_CONFIG_HOME: temporaryFolder() };
    const listed = await start(["catalogue", "list", ...service, "--json"], env, { node }).ended;
    assert.equal(listed.code, 0, listed.stderr);
    assert.ok(JSON.parse(listed.stdout).configurations.length > 0);
    assert.equal((await start(["whoami"], env, { node }).ended).code, 4);
  });

  test("without the pinned Node it says what it needs", { skip: skipOlder }, () => {
    const folder = temporaryFolder();
    const modules = join(folder, "node_modules", "@ironlease");
    mkdirSync(modules, { recursive: true });
    for (const part of ["launcher/package.json", "launcher/bin", "cli/package.json", "cli/bin"]) {
      cpSync(join(packages, part), join(modules, part), { recursive: true });
    }
    const copy = join(modules, "cli", "bin", "ironlease.js");
    const { status, stderr } = spawnSync(older ?? "", [copy, "whoami"], { encoding: "utf8" });
    assert.equal(status, 1);
    assert.match(stderr, /^Ironlease needs Node 26; this is Node 2\d\..* npm ci/);
  });
});

describe("ironlease on a terminal", { skip: !hasPty && "there is no script of util-linux" }, () => {
  const line = (...argv: string[]) => [process.execPath, bin, ...argv].join(" ");

  test("a password that is typed is never on the screen, and the terminal is as it was", async () => {
    const env = { XDG_CONFIG_HOME: temporaryFolder() };
    const registering = line("register", "typist", "--url", place.daemon.url, "--ca", place.ca);
    const { code, screen } = await onTerminal(`${registering} && stty -a`, env, [
      [/Password \(10 characters or more\): $/, `${password}\r`],
      [/again: $/, `${password}\r`],
    ]);
    assert.equal(code, 0, screen);
    assert.ok(!screen.includes(password));
    assert.match(screen, /Recovery code/);
    assert.match(screen, / icanon /);
    assert.match(screen, / echo /);
  });

  test("a question is asked and heard; without a yes nothing happens", async () => {
    const customer = await place.newCustomer();
    const destination = `sim-btc-${"c".repeat(31)}`;
    await customer.fund("0.01");
    const withdraw = line("withdraw", "--usd", "25", "--asset", "BTC", "--to", destination);
    const no = await onTerminal(withdraw, customer.env, [[/\(y\/N\) ?$/, "n\r"]]);
    assert.equal(no.code, 14, no.screen);
    const stopped = await onTerminal(withdraw, customer.env, [[/\(y\/N\) ?$/, "\u0003"]]);
    assert.equal(stopped.code, 130, stopped.screen);
    const yes = await onTerminal(withdraw, customer.env, [[/\(y\/N\) ?$/, "y\r"]]);
    assert.equal(yes.code, 0, yes.screen);
    assert.match(yes.screen, /\u001b\[33mPENDING_REVIEW/);
    assert.equal((await customer.json(["ledger", "list"])).heldUsd, 25);
  });

  test("colours and the QR code are there, and NO_COLOR takes the colours away", async () => {
    const { env } = await place.newCustomer();
    const creating = line("deposit", "create", "BTC");
    const coloured = await onTerminal(creating, env);
    assert.match(coloured.screen, /\u001b\[30;107m +█▀▀▀▀▀█/);
    const plain = await onTerminal(creating, { ...env, NO_COLOR: "1" });
    assert.doesNotMatch(plain.screen, /\u001b\[[\d;]*m/);
    assert.match(plain.screen, /Mode +SIMULATED/);
  });
});
