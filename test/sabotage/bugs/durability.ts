import type { PlantedBug } from "../planted-bug.ts";

const server = "packages/server/src";

/** What is written stays written, whole and once, on either engine. */
export const durabilityBugs: readonly PlantedBug[] = [
  {
    name: "synchronous-normal",
    thought: "With a write-ahead log NORMAL is safe, and so much faster.",
    file: `${server}/adapters/sqlite/open-sqlite.ts`,
    find: "  // From here on the write queue waits for the lock, without blocking the event loop.\n",
    replace: '  database.exec("pragma synchronous = normal");\n',
    tests: ["test/engine-conformance/durability.test.ts"],
  },
  {
    name: "answered-before-the-commit",
    thought: "The work is done; the commit is a formality.",
    file: `${server}/adapters/sqlite/write-queue.ts`,
    find: "for (const job of batch) outcomes.push(await this.#runInSavepoint(job));",
    replace:
      "for (const job of batch) {\n        const outcome = await this.#runInSavepoint(job);\n        job.settle(outcome);\n        outcomes.push(outcome);\n      }",
    tests: ["test/engine-conformance/isolation.test.ts"],
  },
  {
    name: "refusal-commits",
    thought: "A refusal is no error, so there is nothing to undo.",
    file: `${server}/adapters/sqlite/write-queue.ts`,
    find: 'if ("error" in outcome || !outcome.result.ok) this.#execute("rollback to job");',
    replace: 'if ("error" in outcome) this.#execute("rollback to job");',
    tests: ["test/engine-conformance/commit.test.ts"],
  },
  {
    name: "commit-believed",
    thought: "The driver throws when a commit fails.",
    file: `${server}/adapters/postgres/open-postgres.ts`,
    find: '    if (result.ok && end.command !== "COMMIT") throw didNotCommit();\n',
    replace: "",
    tests: ["test/engine-conformance/constraints.test.ts"],
  },
  {
    name: "every-error-retried",
    thought: "Trying again never hurts.",
    file: `${server}/adapters/postgres/connection.ts`,
    find: "(error.code === codes.serialization || error.code === codes.deadlock || isStalePlan(error))",
    replace: 'error.code !== ""',
    tests: ["test/engine-conformance/retry.test.ts"],
  },
  {
    name: "limit-counted-without-a-lock",
    thought: "Counting and adding are in one transaction, so nobody comes in between.",
    file: `${server}/kernel/account-sessions.ts`,
    find: "    .forNoKeyUpdate()\n",
    replace: "",
    tests: [`${server}/features/ssh-keys/ssh-keys.test.ts`],
  },
  {
    name: "journal-can-be-deleted",
    thought: "Nobody deletes from a ledger; updates are what one has to fear.",
    file: `${server}/migrations/append-only.ts`,
    find: '...["update", "delete"].map(',
    replace: '...["update"].map(',
    tests: [`${server}/kernel/ledger.test.ts`],
  },
  {
    name: "journal-can-be-replaced",
    thought: "No trigger of ours triggers another, so the setting is of no use.",
    file: `${server}/adapters/sqlite/open-sqlite.ts`,
    find: '  database.exec("pragma recursive_triggers = on");\n',
    replace: "",
    tests: [`${server}/kernel/ledger.test.ts`],
  },
  {
    name: "audit-can-be-rewritten",
    thought: "Only the ledger is about money.",
    file: `${server}/migrations/0002-ledger.ts`,
    find: '      ...appendOnly("audit", dialect),\n',
    replace: "",
    tests: [`${server}/kernel/ledger.test.ts`],
  },
  {
    name: "machine-serves-two",
    thought: "Only a machine that is being delivered could be promised twice.",
    file: `${server}/migrations/0003-rental.ts`,
    find: "on servers (machine_id) where state <> 'TERMINATED'",
    replace: "on servers (machine_id) where state = 'PROVISIONING'",
    tests: ["test/engine-conformance/own-constraints.test.ts"],
  },
];
