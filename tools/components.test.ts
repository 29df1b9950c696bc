import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { after, describe, test } from "node:test";
import type { Component } from "./component-table.ts";
import { isMissing, prepareComponents, type ComponentPlace } from "./components.ts";
import { findCommand } from "./find-component.ts";

const scratch = mkdtempSync(join(tmpdir(), "ironlease-components-"));
after(() => rmSync(scratch, { recursive: true, force: true }));

const table = {
  parrot: {
    packages: ["ironlease-parrot"],
    programs: { parrotd: "usr/lib/parrot/parrotd" },
    version: {
      program: "parrotd",
      arguments: ["--version"],
      pattern: /^parrot (\d+(?:\.\d+)+)/,
      minimum: "1.10",
    },
  },
} as const satisfies Record<string, Component>;

const searchPath = process.env["PATH"] ?? "";
const commands = ["apt-get", "dpkg-deb", "flock"];
const hasAll = commands.every((name) => findCommand(name, searchPath) !== undefined);
const skip = hasAll ? false : `needs ${commands.join(", ")}`;

test("a component that the system has is used where its package installed it", async () => {
  const place = newPlace("installed");
  const program = join(place.systemRoot, table.parrot.programs.parrotd);
  await writeProgram(program, "1.10");
  const { parrot } = await prepareComponents(table, place);
  assert.deepEqual(parrot, {
    version: "1.10",
    programs: { parrotd: program },
    root: place.systemRoot,
    environment: {},
  });
});

test("a component on the search path is used, and only if it is new enough", async () => {
  const place = newPlace("on-path");
  const program = join(dirname(place.folder), "bin", "parrotd");
  const options = { ...place, searchPath: `/nonexistent${delimiter}${dirname(program)}` };
  for (const version of ["1.10", "1.10.1", "1.11", "2.0"]) {
    await writeProgram(program, version);
    const { parrot } = await prepareComponents(table, options);
    assert.ok(!isMissing(parrot));
    assert.deepEqual([parrot.version, parrot.programs], [version, { parrotd: program }]);
  }
  for (const version of ["1.9", "1.9.12", "0.20"]) {
    await writeProgram(program, version);
    const { parrot } = await prepareComponents(table, options);
    assert.ok(isMissing(parrot), version);
  }
});

test("without apt-get the reason says what to install", async () => {
  const place = { ...newPlace("no-apt"), searchPath: "/nonexistent" };
  const { parrot } = await prepareComponents(table, place);
  assert.deepEqual(parrot, {
    missing:
      "parrot is missing. This system has no apt-get, dpkg-deb, flock to fetch it with.\n" +
      "Install parrot 1.10 or later, on Debian with: sudo apt-get install ironlease-parrot",
  });
  assert.ok(!existsSync(place.folder));
});

describe("a component from a package source", { skip }, () => {
  test("is fetched with the packages that it needs, and found in the cache afterwards", async () => {
    const source = await createSource("fetched", "1.12");
    const place = newPlace("fetched", source);
    const { parrot } = await prepareComponents(table, place);
    assert.ok(!isMissing(parrot), JSON.stringify(parrot));
    const root = join(place.folder, "parrot");
    assert.deepEqual([parrot.version, parrot.root], ["1.12", root]);
    assert.equal(readFileSync(join(root, "usr/share/seeds"), "utf8"), "sunflower\n");
    assert.match(parrot.environment["LD_LIBRARY_PATH"] ?? "", /usr\/lib\/[\w]+-linux-gnu$/);
    assert.deepEqual(readdirSync(place.folder).toSorted(), ["lock", "parrot"]);

    rmSync(source, { recursive: true });
    place.lines.length = 0;
    assert.deepEqual((await prepareComponents(table, place)).parrot, parrot);
    assert.deepEqual(place.lines, []);
  });

  test("replaces a cached one that is too old or does not run", async () => {
    const place = newPlace("replaced", await createSource("replaced", "1.12"));
    for (const version of ["1.0", "broken"]) {
      const program = join(place.folder, "parrot", table.parrot.programs.parrotd);
      await writeProgram(program, version);
      const { parrot } = await prepareComponents(table, place);
      assert.ok(!isMissing(parrot));
      assert.equal(parrot.version, "1.12");
      assert.deepEqual(readdirSync(place.folder).toSorted(), ["lock", "parrot"]);
    }
  });

  test("is missing if the source has only an older one", async () => {
    const place = newPlace("older", await createSource("older", "1.2"));
    const { parrot } = await prepareComponents(table, place);
    assert.ok(isMissing(parrot));
    assert.match(parrot.missing, /does not run here or is too old\.\nInstall parrot 1\.10/);
  });

  test("is missing if no source can be reached, with what apt-get reported", async () => {
    const place = newPlace("unreachable", join(scratch, "nowhere"));
    const { parrot } = await prepareComponents(table, place);
    assert.ok(isMissing(parrot));
    assert.match(parrot.missing, /apt-get could not fetch it\. Check the network\.\n[EW]: /);
    assert.match(parrot.missing, /Unable to locate package ironlease-parrot\nInstall parrot/);
    assert.deepEqual(readdirSync(place.folder), ["lock"]);
  });

  test("is fetched although another source cannot be reached", async () => {
    const sources = [join(scratch, "nowhere"), await createSource("other", "1.12")];
    const { parrot } = await prepareComponents(table, newPlace("other", ...sources));
    assert.ok(!isMissing(parrot), JSON.stringify(parrot));
  });

  test("is fetched once by processes that start together", async () => {
    const place = newPlace("together", await createSource("together", "1.12"));
    const outputs = await Promise.all([runPrepare(place), runPrepare(place), runPrepare(place)]);
    assert.equal(outputs.join("").match(/Fetching parrot/g)?.length, 1);
    assert.equal(outputs.join("").match(/found 1\.12/g)?.length, 3);
  });

  test("is fetched after a process that was killed while fetching", async () => {
    const place = newPlace("killed", await createSource("killed", "1.12"));
    const killed = startPrepare(place);
    const [line] = await once(killed.stdout.setEncoding("utf8"), "data");
    assert.match(String(line), /Reading the package lists/);
    killed.kill("SIGKILL");
    await once(killed, "exit");

    const { parrot } = await prepareComponents(table, place);
    assert.ok(!isMissing(parrot));
    assert.deepEqual(readdirSync(place.folder).toSorted(), ["lock", "parrot"]);
  });
});

type TestPlace = ComponentPlace & { readonly lines: string[] };

function newPlace(name: string, ...sources: readonly string[]): TestPlace {
  const folder = join(scratch, `place-${name}`, "cache");
  const systemRoot = join(scratch, `place-${name}`, "system");
  const list = join(scratch, `place-${name}`, "sources.list");
  mkdirSync(systemRoot, { recursive: true });
  // With `file:` apt-get would read the packages where they are, and download nothing.
  const entries = sources.map((source) => `deb [trusted=yes] copy:${source} ./\n`);
  writeFileSync(list, entries.join(""));
  const lines: string[] = [];
  return {
    folder,
    systemRoot,
    searchPath,
    lines,
    log: (line) => lines.push(line),
    aptSettings: { "Dir::Etc::SourceList": list, "Dir::Etc::SourceParts": "/dev/null" },
  };
}

async function writeProgram(file: string, version: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, programText(version));
  await chmod(file, 0o755);
}

function programText(version: string): string {
  return version === "broken" ? "#!/bin/sh\nexit 1\n" : `#!/bin/sh\necho "parrot ${version}"\n`;
}

/** A package source of two packages, of which one needs the other. */
async function createSource(name: string, version: string): Promise<string> {
  const source = join(scratch, `source-${name}`);
  const triplet = `${process.arch === "arm64" ? "aarch64" : "x86_64"}-linux-gnu`;
  const packages = [
    await buildPackage(source, "ironlease-parrot", "Depends: ironlease-seeds\n", {
      [table.parrot.programs.parrotd]: programText(version),
      [`usr/lib/${triplet}/libparrot.so`]: "",
    }),
    await buildPackage(source, "ironlease-seeds", "", { "usr/share/seeds": "sunflower\n" }),
  ];
  await writeFile(join(source, "Packages"), packages.join("\n"));
  return source;
}

async function buildPackage(
  source: string,
  name: string,
  depends: string,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  const tree = join(source, "trees", name);
  const file = join(source, `${name}.deb`);
  const control = `Package: ${name}\nVersion: 1\nArchitecture: all\nMaintainer: tests <tests@example.com>\nDescription: test\n${depends}`;
  for (const [path, content] of Object.entries({ ...files, "DEBIAN/control": control })) {
    await mkdir(dirname(join(tree, path)), { recursive: true });
    await writeFile(join(tree, path), content);
    if (path.endsWith("parrotd")) await chmod(join(tree, path), 0o755);
  }
  execFileSync("dpkg-deb", ["--build", tree, file], { stdio: "ignore" });
  const bytes = await readFile(file);
  const digest = createHash("sha256").update(bytes).digest("hex");
  return `${control}Filename: ./${name}.deb\nSize: ${bytes.length}\nSHA256: ${digest}\n`;
}

function startPrepare({ folder, systemRoot, searchPath: path, aptSettings }: ComponentPlace) {
  const program = `
    import { prepareComponents } from ${JSON.stringify(import.meta.resolve("./components.ts"))};
    const [place, table] = JSON.parse(process.argv[1]);
    table.parrot.version.pattern = /^parrot ([0-9.]+)/;
    const { parrot } = await prepareComponents(table, { ...place, log: console.log });
    console.log("found", parrot.version);
  `;
  const place = { folder, systemRoot, searchPath: path, aptSettings };
  const parameters = ["--input-type=module", "--eval", program, JSON.stringify([place, table])];
  return spawn(process.execPath, parameters, { stdio: ["ignore", "pipe", "inherit"] });
}

async function runPrepare(place: ComponentPlace): Promise<string> {
  const child = startPrepare(place);
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  assert.deepEqual(await once(child, "close"), [0, null]);
  return output;
}
