import type { MigrationStep, SqlDialect } from "#ports/db.ts";

/**
 * Shown for accounts and servers that were frozen or suspended before this step: operators wrote those reasons for the
 * audit log only.
 */
const earlierReason = "Contact support.";

/** Lets customers read their deposit addresses, and why their account is frozen or a server is suspended. */
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
    // A server has at most one unfinished power change, the one that was decided last.
    `create unique index work_one_living_power_per_server on work (server_id)
       where kind = 'SERVER_ACTION' and action_id is null and state in ('OPEN', 'CLAIMED')`,
  ],
};

/** Counts freezes like the changes of step 0006, because the response that describes the account is cached too. */
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
