import assert from "node:assert/strict";
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { findCommand } from "../tools/find-component.ts";
import { readyComponent, skipWithout } from "#test/components.ts";
import { temporaryFolder } from "#test/daemon.ts";
import { httpsClient, type Send } from "#test/https-client.ts";
import { createTestDatabase } from "#test/test-database.ts";
import { bundleName } from "../tools/release/bundle.ts";
import { writeDebianPackage } from "../tools/release/debian-package.ts";

const execute = promisify(execFile);
const repository = fileURLToPath(new URL("..", import.meta.url));

const folder = temporaryFolder();
const built = join(folder, bundleName);
const archive = `${built}.tar.gz`;
const debianPackage = join(folder, "ironlease.deb");
before(async () => {
  const ironleased = join(repository, "packages/server/bin/ironleased.js");
  const { stdout } = await execute(process.execPath, [ironleased, "bundle", folder]);
  assert.equal(stdout, `${archive}\n`);
  writeDebianPackage(built, debianPackage);
});

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program without any environment but the given one, not even a search path. */
function run(program: string, argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return new Promise<Ended>((resolve) => {
    execFile(program, argv, { env, cwd: "/" }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

/** The links between the pages of a folder that lead to no file of it. */
function brokenLinks(pages: string): readonly string[] {
  return globSync("**/*.md", { cwd: pages }).flatMap((page) =>
    readFileSync(join(pages, page), "utf8")
      .matchAll(/\]\(([^)\s#]+)[^)\s]*\)/g)
      .map(([, link = ""]) => link)
      .filter((link) => !/^[a-z]+:/.test(link) && !existsSync(join(pages, dirname(page), link)))
      .map((link) => `${page}: ${link}`)
      .toArray(),
  );
}

const withoutSystemd = await skipWithout("systemd");

/** What our units name that belongs to the rest of a Debian system. */
const foreignTargets = ["basic", "multi-user", "network-online", "shutdown", "sysinit", "timers"];
const foreignPrograms = ["bin/kill", "bin/sh"];

/** What systemd says about our units below a root. */
async function complaints(root: string): Promise<string> {
  const folders = ["etc/systemd/system", "usr/lib/systemd/system"];
  const units = folders.flatMap((folder) => globSync(`${folder}/ironleased*`, { cwd: root }));
  const targets = join(root, "etc/systemd/system");
  for (const folder of [targets, join(root, "bin")]) mkdirSync(folder, { recursive: true });
  for (const name of foreignTargets) {
    writeFileSync(join(targets, `${name}.target`), "[Unit]\nDescription=stands for Debian's\n");
  }
  for (const path of foreignPrograms) writeFileSync(join(root, path), "", { mode: 0o755 });
  const { programs, environment } = await readyComponent("systemd");
  const paths = units.map((path) => `/${path}`);
  const { stdout, stderr } = await run(
    programs["systemd-analyze"] ?? "",
    ["verify", "--man=no", `--root=${root}`, ...paths],
    environment,
  );
  return stdout + stderr;
}

interface Running {
  readonly child: ChildProcess;
  readonly send: Send;
  stop(): Promise<number | null>;
}

const children: ChildProcess[] = [];
after(() => {
  for (const child of children) child.kill("SIGKILL");
});

async function start(
  program: string,
  command: "preview" | "serve",
  env: Readonly<Record<string, string>> & { readonly IRONLEASE_DATA: string },
): Promise<Running> {
  const listen = { IRONLEASE_LISTEN: "127.0.0.1:0", IRONLEASE_OPERATOR_LISTEN: "127.0.0.1:0" };
  const child = spawn(program, [command], {
    env: { ...listen, ...env },
    cwd: "/",
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  const exited = once(child, "exit") as Promise<[number | null]>;
  let url: string | undefined;
  const lines = createInterface(child.stdout);
  for await (const line of lines) {
    url = /https:\/\/localhost:\d+/.exec(line)?.[0];
    if (url !== undefined) break;
  }
  child.stdout.resume();
  assert.ok(url !== undefined, "the service ended before it listened");
  const client = httpsClient(url, readFileSync(join(env.IRONLEASE_DATA, "tls/ca.pem"), "utf8"));
  return {
    child,
    send: client.send,
    stop: async () => {
      child.kill("SIGTERM");
      const [code] = await exited;
      client.close();
      return code;
    },
  };
}

describe("the bundle", () => {
  /** Stands for the root of a system's files. */
  const root = temporaryFolder();
  let unpacked: string;
  let program: string;
  before(async () => {
    const empty = temporaryFolder();
    await execute("tar", ["--extract", "--file", archive, "--directory", empty]);
    assert.deepEqual(readdirSync(empty), [bundleName]);
    unpacked = join(root, "opt/ironlease");
    mkdirSync(dirname(unpacked));
    renameSync(join(empty, bundleName), unpacked);
    program = join(unpacked, "bin/ironleased");
    // Nothing may come from the folder in which it was built.
    rmSync(built, { recursive: true });
  });

  test("has no packages, no TypeScript and nothing that only tests use", () => {
    const files = readdirSync(unpacked, { recursive: true, encoding: "utf8" });
    assert.ok(files.includes("lib/ironleased.cjs"));
    assert.deepEqual(
      files.filter((file) => /\.tsx?$|\.test\.|^lib\/.*(?:postgres|anvil|chromium)/.test(file)),
      [],
    );
    assert.match(readFileSync(join(unpacked, "THIRD-PARTY-LICENSES.txt"), "utf8"), /^pg 8\./m);
  });

  test("systemd accepts its units", { skip: withoutSystemd }, async () => {
    const folder = join(root, "etc/systemd/system");
    mkdirSync(folder, { recursive: true });
    const units = globSync("deploy/*.{service,timer}", { cwd: unpacked });
    for (const unit of units) copyFileSync(join(unpacked, unit), join(folder, basename(unit)));
    assert.equal(units.length, 5);
    assert.equal(await complaints(root), "");

    appendFileSync(join(folder, "ironleased-backup.timer"), "OnCalendar=25:00\n");
    assert.match(await complaints(root), /Unknown key.*OnCalendar/);
  });

  test("its pages link to each other only", () => {
    assert.ok(existsSync(join(unpacked, "docs/guides/install.md")));
    assert.deepEqual(brokenLinks(unpacked), []);
  });

  test("has a manual page of the commands and settings", () => {
    const manual = readFileSync(join(unpacked, "man/ironleased.8"), "utf8");
    assert.match(manual, /^\.TH IRONLEASED 8 /);
    for (const words of [/^\.SS backup$/m, /IRONLEASE_DATABASE_URL/]) assert.match(manual, words);
  });

  test("cannot build a bundle, and says what can", async () => {
    const { code, stderr } = await run(program, ["bundle"]);
    assert.equal(code, 1);
    assert.match(stderr, /A bundle is built from the source tree/);
  });

  test("starts with what V8 compiled when it was made", async () => {
    const question = `process.exit((await import(${JSON.stringify(join(unpacked, "lib/start.mjs"))})).load().cachedDataRejected ? 3 : 0)`;
    const node = join(unpacked, "lib/node");
    assert.equal((await run(node, ["--expose-gc", "--input-type=module", "-e", question])).code, 0);
    // The test itself: other flags make V8 refuse it.
    assert.equal((await run(node, ["--no-lazy", "--input-type=module", "-e", question])).code, 3);
  });

  test("serves pages, reference and API with an empty environment, and a registration checks the password", async () => {
    const service = await start(program, "preview", { IRONLEASE_DATA: temporaryFolder() });
    const page = await service.send("GET", "/");
    assert.equal(page.status, 200);
    const [script = ""] = /\/assets\/[^"]+\.js/.exec(page.text) ?? [];
    assert.equal((await service.send("GET", script)).status, 200);
    for (const path of ["/api/health", "/docs", "/docs/style.css", "/api/v1/catalogue"]) {
      assert.equal((await service.send("GET", path)).status, 200, path);
    }
    const register = (password: string) =>
      service.send("POST", "/api/v1/auth/register", { body: { username: "bundled", password } });
    assert.equal((await register("a long pass phrase")).status, 201);
    const common = await register("password123");
    assert.equal(common.status, 400);
    assert.match(common.text, /commonly used/);
    assert.equal(await service.stop(), 0);
  });

  test("serves on PostgreSQL, and its other commands work", async () => {
    const database = await createTestDatabase();
    try {
      const env = { IRONLEASE_DATA: temporaryFolder(), IRONLEASE_DATABASE_URL: database.url };
      const migrated = await run(program, ["migrate"], env);
      assert.equal(migrated.code, 0, migrated.stderr);
      const service = await start(program, "serve", env);
      assert.equal((await service.send("GET", "/api/health")).status, 200);
      assert.equal(await service.stop(), 0);
      for (const argv of [
        ["verify"],
        ["operator", "add", "alice", "--role", "admin"],
        ["settings"],
      ]) {
        const { code, stderr } = await run(program, argv, env);
        assert.equal(code, 0, `${argv.join(" ")}: ${stderr}`);
      }
    } finally {
      await database.drop();
    }
  });

  test("runs through a link, and without the compiled code", async () => {
    const links = temporaryFolder();
    symlinkSync(program, join(links, "ironleased"));
    const help = await run(join(links, "ironleased"), ["--help"]);
    assert.match(help.stdout, /^The Ironlease service/m);
    const cache = join(unpacked, "lib/ironleased.cache");
    const kept = readFileSync(cache);
    for (const damaged of [Buffer.alloc(0), Buffer.from("damaged"), kept.subarray(0, 4_000)]) {
      writeFileSync(cache, damaged);
      assert.equal((await run(program, ["completion", "bash"])).code, 0);
    }
    writeFileSync(cache, kept);
  });

  test("refuses unknown commands and contradictory settings in a few lines", async () => {
    assert.equal((await run(program, ["frobnicate"])).code, 2);
    const data = temporaryFolder();
    for (const [named, settings] of [
      ["IRONLEASE_LISTEN", { IRONLEASE_LISTEN: "nowhere" }],
      ["IRONLEASE_ORIGIN", { IRONLEASE_LISTEN: "0.0.0.0:0" }],
      ["IRONLEASE_DATABASE_URL", { IRONLEASE_DATABASE_URL: "mysql://localhost" }],
    ] as const) {
      const { code, stdout, stderr } = await run(program, ["serve"], {
        IRONLEASE_DATA: data,
        ...settings,
      });
      assert.notEqual(code, 0);
      assert.match(stdout + stderr, new RegExp(named));
      assert.ok((stdout + stderr).length < 2_000, stdout + stderr);
    }
    assert.deepEqual(readdirSync(data), []);
  });
});

const neededCommands = ["dpkg", "systemd-sysusers", "systemd-tmpfiles"];
const isRoot = process.getuid?.() === 0;
const missing = [...neededCommands, ...(isRoot ? [] : ["fakeroot"])].filter(
  (name) => findCommand(name, process.env["PATH"] ?? "") === undefined,
);
const skip = missing.length > 0 && `this system has no ${missing.join(", ")}`;

describe("the Debian package", { skip }, () => {
  const root = temporaryFolder();
  const at = (path: string) => join(root, path);
  const settings = at("etc/ironlease/ironlease.env");
  before(() => {
    for (const path of ["info", "updates", "triggers"]) {
      mkdirSync(at(`var/lib/dpkg/${path}`), { recursive: true });
    }
    writeFileSync(at("var/lib/dpkg/status"), "");
  });

  /** dpkg on a root of its own. The libraries that the package needs are not installed there. */
  async function dpkg(...argv: readonly string[]): Promise<void> {
    const force = ["--force-script-chrootless", "--force-depends", "--force-confold"];
    const given = ["dpkg", "--root", root, "--log", "/dev/null", ...force, ...argv];
    const [program = "", ...rest] = isRoot ? given : ["fakeroot", ...given];
    // dpkg asks for commands that only root's path has.
    const path = `${process.env["PATH"] ?? ""}:/usr/sbin:/sbin`;
    await execute(program, rest, { env: { ...process.env, PATH: path, LC_ALL: "C" } });
  }

  const unitFiles = () =>
    readdirSync(at("usr/lib/systemd/system")).map((name) => at(`usr/lib/systemd/system/${name}`));

  test("installs program, units, user and settings in Debian's places", async () => {
    await dpkg("--install", debianPackage);
    assert.match(
      readFileSync(at("var/lib/dpkg/status"), "utf8"),
      /^Status: install ok installed$/m,
    );
    const help = await run(at("usr/lib/ironlease/bin/ironleased"), ["--help"]);
    assert.match(help.stdout, /^The Ironlease service/m);
    assert.match(readFileSync(at("etc/passwd"), "utf8"), /^ironlease:.*:\/var\/lib\/ironlease:/m);
    assert.equal(statSync(settings).mode & 0o777, 0o600);
    // Commands write to them before the first start.
    for (const folder of ["var/lib/ironlease", "var/backups/ironlease"]) {
      assert.equal(statSync(at(folder)).mode & 0o777, 0o700, folder);
    }
    assert.equal(statSync(at("usr/sbin/ironleased")).mode & 0o777, 0o755);
    assert.equal(unitFiles().length, 5);
    const manual = gunzipSync(readFileSync(at("usr/share/man/man8/ironleased.8.gz")));
    assert.match(manual.toString(), /^\.TH IRONLEASED 8 /);
    assert.deepEqual(brokenLinks(at("usr/share/doc/ironlease")), []);
  });

  test("its units and its command name files that it installs", () => {
    for (const file of [...unitFiles(), at("usr/sbin/ironleased")]) {
      const text = readFileSync(file, "utf8");
      assert.doesNotMatch(text, /\/opt\//, file);
      for (const [path] of text.matchAll(/\/(?:usr|etc)\/[\w./-]*ironlease[\w./-]*/g)) {
        assert.ok(existsSync(at(path)), `${file}: ${path}`);
      }
    }
  });

  test("depends on the packages of the libraries that its Node needs", async () => {
    const node = at("usr/lib/ironlease/lib/node");
    // The loader lists them and does not start the program.
    const { stdout } = await run(node, [], { LD_TRACE_LOADED_OBJECTS: "1" });
    const libraries = [...stdout.matchAll(/=> \S+?([^/]+\/[^/]+) \(/g)].map(([, path]) => path);
    assert.ok(libraries.length > 3, stdout);
    const { stdout: owners } = await execute("dpkg", [
      "--search",
      ...libraries.map((path) => `*/${path}`),
    ]);
    const needed = new Set(owners.split("\n").flatMap((line) => line.match(/^[^:]+/) ?? []));
    const { stdout: depends } = await execute("dpkg-deb", ["--field", debianPackage, "Depends"]);
    const named = depends.split(", ").map((dependency) => dependency.trim().split(" ")[0] ?? "");
    assert.deepEqual(
      [...needed].filter((name) => !named.includes(name)),
      [],
    );
  });

  test("systemd accepts its units", { skip: withoutSystemd }, async () => {
    assert.equal(await complaints(root), "");
  });

  test("an upgrade keeps the administrator's settings", async () => {
    writeFileSync(settings, 'IRONLEASE_ORIGIN="https://rent.example"\n');
    await dpkg("--install", debianPackage);
    assert.match(readFileSync(settings, "utf8"), /rent\.example/);
  });

  test("removing it keeps settings and data, and purging it keeps the data", async () => {
    mkdirSync(at("var/lib/ironlease"), { recursive: true });
    writeFileSync(at("var/lib/ironlease/ironlease.db"), "money");
    await dpkg("--remove", "ironlease");
    for (const path of ["usr/lib/ironlease", "usr/sbin/ironleased", "usr/lib/systemd/system"]) {
      assert.ok(!existsSync(at(path)), path);
    }
    assert.ok(existsSync(settings));
    await dpkg("--purge", "ironlease");
    assert.ok(!existsSync(settings));
    assert.equal(readFileSync(at("var/lib/ironlease/ironlease.db"), "utf8"), "money");
  });
});
