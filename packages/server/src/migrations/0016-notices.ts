import type { MigrationStep } from "#ports/db.ts";

/** What customers and operators write for each other: names of servers. */
export const notices: MigrationStep = {
  name: "0016-notices",
  statements: () => [
    `alter table servers add column label text not null default ''
       constraint servers_label_bounded check (length(label) <= 64)`,
  ],
};
