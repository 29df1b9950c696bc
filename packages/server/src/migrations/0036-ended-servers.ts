import type { MigrationStep } from "#ports/db.ts";

/**
 * When a server ended, and indexes for lists of an account's current and ended servers. Earlier servers ended when the
 * work to wipe the machine was queued or the delivery failed.
 */
export const endedServers: MigrationStep = {
  name: "0036-ended-servers",
  statements: ({ integer }) => [
    `alter table servers add column ended_at ${integer}
       constraint servers_ended_at_known check (ended_at is null or state = 'TERMINATED')`,
    `update servers set ended_at = coalesce(
       (select max(created_at) from work where server_id = servers.id and kind = 'RECLAIM'),
       (select max(ended_at) from work where server_id = servers.id and kind = 'PROVISION'),
       grace_until, created_at
     ) where state = 'TERMINATED'`,
    `create index servers_current on servers (account_id, created_at, id)
       where state <> 'TERMINATED'`,
    `create index servers_current_by_state on servers (account_id, state, region_id)
       where state <> 'TERMINATED'`,
    `create index servers_ended on servers (account_id, ended_at, id)
       where ended_at is not null`,
  ],
};
