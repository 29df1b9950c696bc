import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

interface Locked {
  readonly link?: boolean;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
  readonly dev?: boolean;
}

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), "utf8"));
const { packages } = read("package-lock.json") as { packages: Record<string, Locked> };
const { allowScripts } = read("package.json") as { allowScripts: Record<string, boolean> };

const installed = Object.entries(packages)
  .filter(([path, { link }]) => path.includes("node_modules/") && link !== true)
  .map(([path, locked]) => ({ name: path.replace(/^.*node_modules\//, ""), ...locked }));

test("every installed package is pinned by its hash and names no registry URL", () => {
  assert.ok(installed.length > 100);
  for (const { name, integrity, resolved } of installed) {
    assert.match(integrity ?? "", /^sha512-[\w+/]{86}==$/, name);
    // Omitted on purpose, so that npm uses the registry that it is configured with.
    assert.equal(resolved, undefined, name);
  }
});

test("no package runs an install script", () => {
  const withScripts = installed.filter(({ hasInstallScript }) => hasInstallScript === true);
  for (const { name } of withScripts) assert.equal(allowScripts[name], false, name);
});

test("a production install has no database and no daemon of the tests", () => {
  const { optionalDependencies } = read("test/daemons/package.json") as {
    optionalDependencies: Record<string, string>;
  };
  const daemons = [...Object.keys(optionalDependencies), "@sparticuz/chromium", "smtp-server"];
  for (const daemon of daemons) {
    const locked = installed.filter(({ name }) => name === daemon);
    assert.deepEqual(
      locked.map(({ dev }) => dev),
      [true],
      daemon,
    );
  }
});
