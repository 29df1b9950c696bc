import type { PlantedBug } from "../planted-bug.ts";

const server = "packages/server/src";

/** Transactions, caches and append-only tables, on both engines. */
export const durabilityBugs: readonly PlantedBug[] = [
  {
    name: "synchronous-normal",
    thought: "With a write-ahead log, NORMAL is safe and much faster.",
    file: `${server}/adapters/sqlite/open-sqlite.ts`,
    find: "  // From here on the write queue waits for the lock, without blocking the event loop.\n",
    replace: '  database.exec("pragma synchronous = normal");\n',
    tests: ["test/engine-conformance/durability.test.ts"],
  },
  {
    name: "answered-before-the-commit",
    thought: "The work is done; the commit is a formality.",
    file: `${server}/adapters/sqlite/write-queue.ts`,
    find: "      if (!commits(outcome)) {\n",
    replace: "      job.settle(outcome);\n      if (!commits(outcome)) {\n",
    tests: ["test/engine-conformance/isolation.test.ts"],
  },
  {
    name: "refusal-commits",
    thought: "A refusal is not an error, so there is nothing to roll back.",
    file: `${server}/adapters/sqlite/write-queue.ts`,
    find: 'return "result" in outcome && outcome.result.ok;',
    replace: 'return "result" in outcome;',
    tests: ["test/engine-conformance/commit.test.ts"],
  },
  {
    name: "rollback-fails-whole-batch",
    thought: "If the batch was rolled back, every write in it has failed.",
    file: `${server}/adapters/sqlite/write-queue.ts`,
    find: "return batch.length === 1 ? [outcome] : undefined;",
    replace: "return batch.map(() => outcome);",
    tests: ["test/engine-conformance/commit.test.ts"],
  },
  {
    name: "session-cached-too-long",
    thought: "Every change to a session goes through the write queue, which invalidates the cache.",
    file: `${server}/speed/row-cache.ts`,
    find: "if (!isChecked) this.#check(now);",
    replace: "if (this.#checkedIn === undefined) this.#check(now);",
    tests: ["test/engine-conformance/lookups.test.ts"],
  },
  {
    name: "session-cached-into-the-next-turn",
    thought: "setImmediate runs at the end of each event loop turn.",
    file: `${server}/speed/row-cache.ts`,
    find: "this.#checkedIn?.loopCount === now.loopCount && this.#checkedIn.events === now.events;",
    replace: "this.#checkedIn !== undefined;",
    also: [
      {
        file: `${server}/speed/row-cache.ts`,
        find: "    this.#checkedIn = now;\n",
        replace: "    this.#checkedIn = now;\n    setImmediate(this.#recheck);\n",
      },
    ],
    tests: ["test/engine-conformance/lookups.test.ts"],
  },
  {
    name: "lookup-joins-batch-in-flight",
    thought: "A lookup can join a batch whose query is already in flight.",
    file: `${server}/speed/batched-lookups.ts`,
    find: "      this.#open.delete(lookup);\n      resolve(this.#execute(query, lookup, [...values]));\n",
    replace:
      "      resolve(this.#execute(query, lookup, [...values]).finally(() => {\n        if (this.#open.get(lookup) === batch) this.#open.delete(lookup);\n      }));\n",
    tests: ["packages/server/src/speed/batched-lookups.test.ts"],
  },
  {
    name: "commit-result-unchecked",
    thought: "The driver throws when a commit fails.",
    file: `${server}/adapters/postgres/transaction.ts`,
    find: '  if (command !== "COMMIT") throw didNotCommit();\n',
    replace: "",
    also: [
      {
        file: `${server}/adapters/postgres/connection.ts`,
        find: "return !this.#hasFailed && this.#unsettled === 0;",
        replace: "return this.#unsettled === 0;",
      },
    ],
    tests: ["test/engine-conformance/constraints.test.ts"],
  },
  {
    name: "replay-reads-without-a-lock",
    thought: "The stored answer is in the table, so it is committed.",
    file: `${server}/kernel/idempotency.ts`,
    find: "    .forUpdate()\n",
    replace: "",
    tests: ["test/engine-conformance/standby.test.ts"],
  },
  {
    name: "conflict-answered-without-a-commit",
    thought: "A 409 changes nothing, so there is nothing to wait for.",
    file: `${server}/kernel/idempotency.ts`,
    find: 'refuse("idempotency_conflict", { commits: true })',
    replace: 'refuse("idempotency_conflict")',
    tests: ["test/engine-conformance/standby.test.ts"],
  },
  {
    name: "commit-pipelined",
    thought:
      "PostgreSQL refuses to commit after a failed statement, so there is no need to wait first.",
    file: `${server}/adapters/postgres/transaction.ts`,
    find: '  await pipeline?.settled();\n  if (!connection.canCommit) throw didNotCommit();\n  const { command } = await client.query("commit");\n',
    replace:
      '  const ending = client.query("commit");\n  await pipeline?.settled(ending);\n  const { command } = await ending;\n',
    tests: [`${server}/speed/pipelined-writes.test.ts`],
  },
  {
    name: "unsent-statement-ignored",
    thought: "A statement that never reached the server cannot have failed there.",
    file: `${server}/adapters/postgres/connection.ts`,
    find: "      for (const value of parameters) refuseUnstorable(value);\n    } catch (error) {\n      this.#hasFailed = true;\n",
    replace:
      "      for (const value of parameters) refuseUnstorable(value);\n    } catch (error) {\n",
    tests: ["test/engine-conformance/commit.test.ts"],
  },
  {
    name: "one-account-takes-every-connection",
    thought: "An idle connection should serve whichever account needs it.",
    file: `${server}/adapters/postgres/write-slots.ts`,
    find: "const maxOwned = Math.max(1, Math.floor(slots / 2));",
    replace: "const maxOwned = slots;",
    tests: [`${server}/adapters/postgres/write-slots.test.ts`],
  },
  {
    name: "every-error-retried",
    thought: "Retrying never hurts.",
    file: `${server}/adapters/postgres/connection.ts`,
    find: "(error.code === codes.serialization || error.code === codes.deadlock || isStalePlan(error))",
    replace: 'error.code !== ""',
    tests: ["test/engine-conformance/retry.test.ts"],
  },
  {
    name: "limit-counted-without-a-lock",
    thought:
      "Counting and inserting happen in one transaction, so no other write comes in between.",
    file: `${server}/kernel/access/accounts.ts`,
    find: ".forNoKeyUpdate(),",
    replace: ",",
    tests: [`${server}/features/ssh-keys/ssh-keys.test.ts`],
  },
  {
    name: "journal-can-be-deleted",
    thought: "No code deletes from the ledger, so preventing updates is enough.",
    file: `${server}/migrations/append-only.ts`,
    find: ' = ["update", "delete"],',
    replace: ' = ["update"],',
    tests: [`${server}/kernel/ledger.test.ts`],
  },
  {
    name: "journal-can-be-replaced",
    thought: "None of our triggers fires another, so the setting is useless.",
    file: `${server}/adapters/sqlite/open-sqlite.ts`,
    find: '  database.exec("pragma recursive_triggers = on");\n',
    replace: "",
    tests: [`${server}/kernel/ledger.test.ts`],
  },
  {
    name: "audit-can-be-rewritten",
    thought: "Only the ledger records money, so only the ledger needs protection.",
    file: `${server}/migrations/0002-ledger.ts`,
    find: '      ...appendOnly("audit", dialect),\n',
    replace: "",
    tests: [`${server}/kernel/ledger.test.ts`],
  },
  {
    name: "machine-assigned-twice",
    thought: "Only a server that is being provisioned can compete for a machine.",
    file: `${server}/migrations/0003-rental.ts`,
    find: "on servers (machine_id) where state <> 'TERMINATED'",
    replace: "on servers (machine_id) where state = 'PROVISIONING'",
    tests: ["test/engine-conformance/schema-constraints.test.ts"],
  },
];
