import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { rateLimits } from "@ironlease/contract";
import { createTestCore, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import type { Core } from "./core.ts";
import { countAttempts, uncountAttempts } from "./access/password-attempts.ts";
import type { Attempt } from "./rate-limits.ts";

const { count: most, windowSeconds } = rateLimits.signInPerAddressAndUsername;

let subjects = 0;

/** A subject that no other test counts. */
function newAttempt(limit: Attempt["limit"] = "signInPerAddressAndUsername"): Attempt {
  subjects += 1;
  return { limit, subject: `subject ${subjects}` };
}

forEachEngine((engine) => {
  describe("a rate limit", () => {
    let opened: TestCore;
    let core: Core;
    before(async () => {
      opened = await createTestCore(engine, { rules: { rateLimits } });
      core = opened.core;
    });
    after(() => opened.dispose());

    const isTaken = async (on: Core, ...attempts: Attempt[]) =>
      (await countAttempts(on, attempts)).ok;
    const takenOf = async (times: number, ...attempts: Attempt[]) => {
      let taken = 0;
      for (let time = 0; time < times; time += 1) {
        if (await isTaken(core, ...attempts)) taken += 1;
      }
      return taken;
    };

    test("admits exactly its count of concurrent attempts over two instances", async () => {
      const other = await opened.reopen();
      for (let round = 0; round < 5; round += 1) {
        const attempt = newAttempt();
        const tried = Array.from({ length: 40 }, (_, index) =>
          isTaken(index % 2 === 0 ? core : other, attempt),
        );
        const taken = (await Promise.all(tried)).filter(Boolean);
        assert.equal(taken.length, most);
      }
    });

    test("counts each subject and each limit separately", async () => {
      const attempt = newAttempt();
      assert.equal(await takenOf(most + 1, attempt), most);
      assert.ok(await isTaken(core, newAttempt()));
      assert.ok(await isTaken(core, { ...attempt, limit: "recoveryPerAddressAndUsername" }));
    });

    test("when reached, counts nothing against the limits checked with it", async () => {
      const [first, second] = [newAttempt(), newAttempt()];
      await takenOf(most, second);
      assert.equal(await takenOf(most, first, second), 0);
      assert.equal(await takenOf(most + 1, first), most);
    });

    test("is given back once per attempt, and never more than was taken", async () => {
      const attempt = newAttempt();
      await takenOf(2, attempt);
      for (let time = 0; time < 3; time += 1) await uncountAttempts(core, [attempt]);
      assert.equal(await takenOf(most + 1, attempt), most);
    });

    test("resets when its window ends, and not before", async () => {
      const attempt = newAttempt();
      await takenOf(most, attempt);
      opened.clock.advance(windowSeconds * 1_000 - 1);
      assert.equal(await isTaken(core, attempt), false);
      opened.clock.advance(1);
      assert.equal(await takenOf(most + 1, attempt), most);
    });
  });
});
