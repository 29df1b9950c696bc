import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { adjust, stockUp } from "#test/rental-service.ts";
import { startTestService, type TestService } from "#test/service.ts";

const run = promisify(execFile);
const repository = fileURLToPath(new URL("../..", import.meta.url));
const readme = readFileSync(join(repository, "packages/client/README.md"), "utf8");

/** The TypeScript programs of the README, each with its heading. */
const programs = readme.split(/^## /m).flatMap((section) =>
  Array.from(section.matchAll(/```ts\n(.*?)```/gs), ([, code = ""]) => ({
    heading: section.split("\n", 1)[0] ?? "",
    code,
  })),
);

const fileOf = (index: number) => `program-${index}.mts`;

describe("the README's programs print what the README shows", () => {
  let folder: string;
  let service: TestService;
  before(async () => {
    service = await startTestService("sqlite");
    await stockUp(service.core);
    folder = mkdtempSync(join(tmpdir(), "ironlease-readme-"));
    symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"), "dir");
    mkdirSync(join(folder, "data/tls"), { recursive: true });
    writeFileSync(join(folder, "data/tls/ca.pem"), service.ca);
    for (const [index, { code }] of programs.entries()) {
      const program = code.replaceAll("https://localhost:8443", service.url);
      writeFileSync(join(folder, fileOf(index)), program);
    }
    // The repository's strict settings, which the client's own sources need too.
    const tsconfig = { extends: join(repository, "tsconfig.json"), include: ["*.mts"] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(tsconfig));
  });
  after(async () => {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const expectedOutput: Readonly<Record<string, RegExp>> = {
    "Sign in": /^Recovery code, shown once: .*\nPay to sim-btc-\S+ on /,
    "Place an order and handle refusals": /^ord_\w+ is ACCEPTED: srv_\w+ for 49\.99 USD\n$/,
    "Keep a session between runs": /^ada has \S+ USD\n$/,
    "Withdraw and handle lost answers": /^wdr_\w+ is waiting for review\.\n$/,
    "Read with an API key": /WITHDRAWAL_HOLD -25\n/,
  };

  for (const [index, { heading }] of programs.entries()) {
    test(heading, async () => {
      const { stdout } = await run(process.execPath, [fileOf(index)], { cwd: folder });
      const expected = expectedOutput[heading] ?? assert.fail(`no expected output for ${heading}`);
      assert.match(stdout, expected);
      // The first program creates the account. The others need a balance.
      if (index === 0) await credit(service);
    });
  }

  test("all programs compile as TypeScript", async () => {
    const tsc = join(repository, "node_modules/.bin/tsc");
    const checked = await run(tsc, ["-p", folder]).catch((error: unknown) => error);
    assert.equal((checked as { stdout: string }).stdout, "");
  });

  test("every expected program exists, and none is plain JavaScript", () => {
    assert.deepEqual(
      programs.map(({ heading }) => heading),
      Object.keys(expectedOutput),
    );
    assert.doesNotMatch(readme, /```(?:js|javascript)\b/);
  });
});

async function credit({ core }: TestService): Promise<void> {
  const { id } = await core.db.read.selectFrom("accounts").select("id").executeTakeFirstOrThrow();
  await adjust(core, id, 500_00);
}
