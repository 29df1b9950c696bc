import type { MigrationStep } from "#ports/db.ts";

/**
 * Counts what a customer sees change in a thread. A count in `balances`, as the lists have it, would lock the balance
 * after the thread, against the order of locks.
 */
export const threadChanges: MigrationStep = {
  name: "0042-thread-changes",
  statements: ({ integer }) => [
    `alter table threads add column changes ${integer} not null default 0`,
  ],
};
