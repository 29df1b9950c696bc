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
import { ironlease } from "#cli/commands/index.ts";
import { openCliHarness, type CliHarness } from "#test/cli-harness.ts";
import { temporaryFolder } from "#test/daemon.ts";
import { bashOffers, fishOffers, missingShell, zshOffers } from "#test/completion.ts";
import { hasPty, onTerminal } from "#test/pty.ts";
import { seedServer } from "#test/rental.ts";
import { password } from "#test/service.ts";
import { runShell } from "#test/shell.ts";

const packages = fileURLToPath(new URL("../../packages/", import.meta.url));
const bin = join(packages, "cli/bin/ironlease.js");

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts `ironlease` in a separate process. */
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

/** A Node older than the pinned one, if the machine has one. */
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

let harness: CliHarness;
let service: string[];
before(async () => {
  harness = await openCliHarness();
  service = ["--url", harness.daemon.url, "--ca", harness.ca];
});
after(() => harness.close());

describe("ironlease as a process", () => {
  test("registers, reads, writes and signs out, and repairs the mode of the profile file", async () => {
    const env = { XDG_CONFIG_HOME: temporaryFolder() };
    const argv = ["register", "process", "--url", harness.daemon.url, "--ca", "data/tls/ca.pem"];
    const options = { piped: `${password}\n`, cwd: harness.folder };
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

  test("exit codes reach the shell, and no command waits for input without a terminal", async () => {
    const { env } = await harness.newCustomer();
    const codes = await Promise.all(
      [["whoami"], ["frobnicate"], ["server", "show", "unknown"], ["password"]].map(
        async (argv) => (await start(argv, env).ended).code,
      ),
    );
    assert.deepEqual(codes, [0, 2, 6, 2]);
  });

  test("Ctrl-C ends deposit watch with exit 130", async () => {
    const { env } = await harness.newCustomer();
    const { child, ended } = start(["deposit", "watch"], env);
    child.stderr.on("data", (chunk: Buffer) => {
      if (chunk.toString().includes("Waiting for a payment")) child.kill("SIGINT");
    });
    const { code, stderr } = await ended;
    assert.equal(code, 130);
    assert.match(stderr, /Interrupted/);
  });

  test("a reader that closes the pipe early causes no error", async () => {
    const line = `"${process.execPath}" "${bin}" catalogue list ${service.join(" ")} | head -1`;
    const { stdout, stderr } = runShell("sh", ["-c", line]);
    assert.match(stdout, /^CONFIG/);
    assert.equal(stderr, "");
  });

  /** Runs `ironlease` with standard output at the given file descriptor. */
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

  /** The write end of a pipe whose read end is closed. */
  function brokenPipe(): number {
    const path = join(temporaryFolder(), "pipe");
    assert.equal(spawnSync("mkfifo", [path]).status, 0);
    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const writer = openSync(path, "w");
    closeSync(reader);
    return writer;
  }

  test("key create sends nothing if standard output is a full device or a closed pipe", async () => {
    const customer = await harness.newCustomer();
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

  test("key create exits 1 with the revoke command if the value cannot be written", async () => {
    const customer = await harness.newCustomer();
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

  test("unwritable output exits 1 without a stack trace, and a closed pipe exits 0", async () => {
    const { env } = await harness.newCustomer();
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

  test("npm exec finds ironlease from a subfolder of the project", () => {
    const { status, stdout } = spawnSync("npm", ["exec", "--", "ironlease", "--version"], {
      cwd: packages,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    });
    assert.equal(status, 0);
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
  });

  test("shells complete servers, the catalogue, keys and profiles, and never run what these are called", async (t) => {
    const customer = await harness.newCustomer();
    const seeded = await seedServer(harness.core, await customer.accountId());
    const hostname = `${seeded.id.replace("_", "-")}.example.com`;
    const trap = join(temporaryFolder(), "trap");
    const label = `my $(touch ${trap}) web: 1`;
    await customer.json(["server", "label", seeded.id, label]);
    const path = `${join(packages, "../node_modules/.bin")}${delimiter}${process.env["PATH"]}`;
    const env = { ...customer.env, PATH: path };
    const shells = {
      bash: (...words: string[]) => bashOffers(ironlease, words, env),
      zsh: (...words: string[]) => zshOffers(ironlease, words, env),
      fish: (...words: string[]) => fishOffers(ironlease, words, env),
    };
    for (const [shell, offered] of Object.entries(shells)) {
      await t.test(shell, { skip: missingShell(shell) }, () => {
        assert.deepEqual(offered("server", "show", "").toSorted(), [label, hostname].toSorted());
        assert.ok(offered("order", "create", "--config", "metal-s").includes("metal-s"));
        assert.ok(offered("quote", "--region", "f").includes("fra"));
        assert.ok(offered("quote", "--os", "debian-1").includes("debian-13"));
        assert.deepEqual(offered("profile", "use", ""), ["default"]);
        assert.deepEqual(offered("open", "bil"), ["billing"]);
        assert.ok(offered("open", "").includes(hostname));
        assert.deepEqual(offered("--url", "https://localhost:1", "open", "sec"), ["security"]);
        assert.deepEqual(offered("ssh-key", "remove", ""), []);
        assert.deepEqual(offered("--url", "https://localhost:1", "server", "show", ""), []);
        assert.equal(existsSync(trap), false);
      });
    }
  });

  test("on an older Node it starts the pinned one", { skip: skipOlder }, async () => {
    const node = older ?? "";
    const env = { XDG_CONFIG_HOME: temporaryFolder() };
    const listed = await start(["catalogue", "list", ...service, "--json"], env, { node }).ended;
    assert.equal(listed.code, 0, listed.stderr);
    assert.ok(JSON.parse(listed.stdout).configurations.length > 0);
    assert.equal((await start(["whoami"], env, { node }).ended).code, 4);
  });

  test(
    "without the pinned Node it exits 1 and names the required version",
    { skip: skipOlder },
    () => {
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
    },
  );
});

describe(
  "ironlease on a terminal",
  { skip: !hasPty && "script from util-linux is not installed" },
  () => {
    const line = (...argv: string[]) => [process.execPath, bin, ...argv].join(" ");

    test("a typed password never appears on the screen, and the terminal mode is restored", async () => {
      const env = { XDG_CONFIG_HOME: temporaryFolder() };
      const registering = line(
        "register",
        "typist",
        "--url",
        harness.daemon.url,
        "--ca",
        harness.ca,
      );
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

    test("withdraw proceeds only after a yes on the terminal", async () => {
      const customer = await harness.newCustomer();
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

    test("output has colours and a QR code, and NO_COLOR removes the colours", async () => {
      const { env } = await harness.newCustomer();
      const creating = line("deposit", "create", "BTC");
      const coloured = await onTerminal(creating, env);
      assert.match(coloured.screen, /\u001b\[30;107m +█▀▀▀▀▀█/);
      const plain = await onTerminal(creating, { ...env, NO_COLOR: "1" });
      assert.doesNotMatch(plain.screen, /\u001b\[[\d;]*m/);
      assert.match(plain.screen, /Mode +SIMULATED/);
    });
  },
);
