import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, test } from "node:test";
import { missingEvidence, requirements } from "./security-review.ts";

const read = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), "utf8");
const review = read("docs/security-review.md");
const rows = requirements(review);

/** The number of level 1 and 2 requirements in each chapter of ASVS 5.0.0, starting with V1. */
const counted = [27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 7];

describe("the security review", () => {
  test("every file named in it or in SECURITY.md exists and contains the quotations", () => {
    assert.deepEqual(missingEvidence(review), []);
    assert.deepEqual(missingEvidence(read("SECURITY.md")), []);
  });

  test("a missing file and a missing quotation are reported", () => {
    assert.deepEqual(missingEvidence("`http/nowhere.ts`"), ["http/nowhere.ts does not exist"]);
    assert.deepEqual(missingEvidence('`http/admission/cookies.ts` "no such words"'), [
      'http/admission/cookies.ts does not contain "no such words"',
    ]);
    assert.deepEqual(missingEvidence('`http/admission/cookies.ts` "HttpOnly", "SameSite=Lax"'), [
      'http/admission/cookies.ts does not contain "SameSite=Lax"',
    ]);
  });

  test("every requirement occurs once with a verdict, and has evidence unless it is n/a", () => {
    const ids = rows.map(({ id }) => id);
    assert.deepEqual(
      ids.filter((id, at) => ids.indexOf(id) !== at),
      [],
    );
    for (const { id, level, verdict, shownBy } of rows) {
      assert.match(level, /^[123]$/, id);
      assert.match(verdict, /^(?:yes|partly|no|n\/a)$/, id);
      if (verdict !== "n/a") assert.notEqual(shownBy, "", id);
    }
  });

  test("no requirement of levels 1 and 2 is missing", () => {
    for (const [at, count] of counted.entries()) {
      const ofChapter = rows.filter(({ id }) => id.startsWith(`${at + 1}.`));
      const found = ofChapter.filter(({ level }) => level !== "3");
      const total = found.reduce((sum, { covers }) => sum + covers, 0);
      assert.equal(total, count, `V${at + 1}`);
    }
  });
});
