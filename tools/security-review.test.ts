import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, test } from "node:test";
import { missingEvidence, requirements } from "./security-review.ts";

const read = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), "utf8");
const review = read("docs/security-review.md");
const rows = requirements(review);

/** How many requirements of levels 1 and 2 each chapter of ASVS 5.0.0 has, from V1 on. */
const counted = [27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 7];

describe("the security review", () => {
  test("every file that it or SECURITY.md names is there, and holds what is quoted of it", () => {
    assert.deepEqual(missingEvidence(review), []);
    assert.deepEqual(missingEvidence(read("SECURITY.md")), []);
  });

  test("what is not there is noticed: a file, a title, and a quotation of nothing", () => {
    assert.deepEqual(missingEvidence("`http/nowhere.ts`"), ["http/nowhere.ts is not there"]);
    assert.deepEqual(missingEvidence('`http/admission/cookies.ts` "no such words"'), [
      'http/admission/cookies.ts does not hold "no such words"',
    ]);
    assert.deepEqual(missingEvidence('`http/admission/cookies.ts` "HttpOnly", "SameSite=Lax"'), [
      'http/admission/cookies.ts does not hold "SameSite=Lax"',
    ]);
  });

  test("every requirement is there once, has a verdict, and a yes or a partly something to show", () => {
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

  test("of levels 1 and 2 none is left out", () => {
    for (const [at, count] of counted.entries()) {
      const ofChapter = rows.filter(({ id }) => id.startsWith(`${at + 1}.`));
      const found = ofChapter.filter(({ level }) => level !== "3");
      const total = found.reduce((sum, { covers }) => sum + covers, 0);
      assert.equal(total, count, `V${at + 1}`);
    }
  });
});
