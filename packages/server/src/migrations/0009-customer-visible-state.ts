import type { MigrationStep, SqlDialect } from "#ports/db.ts";

/**
 * Customers do not read what operators wrote while it was for the audit only: accounts and servers that are stopped
 * already get this instead.
 */
const earlierReason = "Contact support.";

/** What customers read since then: their deposit addresses, and why an account or a server is stopped. */
export const customerVisibleState: MigrationStep = {
  name: "0009-customer-visible-state",
  statements: (dialect) => [
    "create index deposit_addresses_by_account on deposit_addresses (account_id, id)",
    "alter table accounts add column frozen_reason text",
    `update accounts set frozen_reason = '${earlierReason}' where frozen_at is not null`,
    ...countingFreezes(dialect),
    `alter table servers add column suspended_at ${dialect.integer}`,
    "alter table servers add column suspension_reason text",
    `update servers set suspension_reason = '${earlierReason}', suspended_at = coalesce(
       (select max(at) from audit where subject = servers.id and action = 'server.suspend'),
       created_at)
       where state = 'SUSPENDED'`,
    // Of cutting and restoring the power of one server only the last that was decided is to be done.
    `create unique index work_one_living_power_per_server on work (server_id)
       where kind = 'SERVER_ACTION' and action_id is null and state in ('OPEN', 'CLAIMED')`,
  ],
};

/** As step 0006 does for lists: the account itself is an answer that is kept until its count changes. */
function countingFreezes({ engine }: SqlDialect): readonly string[] {
  const name = "accounts_update_counted";
  const count = "update balances set list_changes = list_changes + 1 where account_id = new.id";
  const on = `create trigger ${name} after update of frozen_at, frozen_reason on accounts`;
  if (engine === "sqlite") return [`${on} begin ${count}; end`];
  return [
    `create function ${name}() returns trigger language plpgsql as
       $$ begin ${count}; return null; end $$`,
    `${on} for each row execute function ${name}()`,
  ];
}
