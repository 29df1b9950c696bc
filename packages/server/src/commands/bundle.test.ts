import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "#test/daemon.ts";
import { ironleased } from "#test/ironleased.ts";

test("a folder that cannot be written to is refused before anything is built", async () => {
  const file = join(temporaryFolder(), "file");
  writeFileSync(file, "");
  for (const folder of [file, join(file, "below")]) {
    const { code, said } = await ironleased(["bundle", folder], {});
    assert.equal(code, 1);
    assert.match(
      said,
      /^Nothing was built\. The folder .* cannot be written to \(E[A-Z]+\)\. Choose/,
    );
  }
});
