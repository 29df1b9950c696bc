import assert from "node:assert/strict";
import { test } from "node:test";
import { killPostgres } from "./postgres-kills.ts";

const kills = 3;
const skip = process.platform === "linux" ? false : "finding the server's processes needs Linux";

test(
  `killing PostgreSQL ${kills} times under a running service loses no acknowledged change`,
  { skip },
  async () => {
    const found = await killPostgres({ kills, seed: 11 });
    assert.deepEqual(
      found.map(({ problems }) => problems),
      Array.from({ length: kills }, () => []),
    );
    // Unanswered requests show that clients were attempt during the kill.
    assert.ok(found.every(({ acknowledged, unanswered }) => acknowledged > 0 && unanswered > 0));
  },
);
