import assert from "node:assert/strict";
import { test } from "node:test";
import { killPostgres } from "./postgres-kills.ts";

const kills = 3;
const skip =
  process.platform === "linux" ? false : "the server's processes are found on Linux only";

test(
  `PostgreSQL is killed ${kills} times under a service that goes on: nothing acknowledged is lost`,
  { skip },
  async () => {
    const found = await killPostgres({ kills, seed: 11 });
    assert.deepEqual(
      found.map(({ problems }) => problems),
      Array.from({ length: kills }, () => []),
    );
    // Without anybody who was turned away, nobody was there when it was killed.
    assert.ok(found.every(({ acknowledged, unanswered }) => acknowledged > 0 && unanswered > 0));
  },
);
