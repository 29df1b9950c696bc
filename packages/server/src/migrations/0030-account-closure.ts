import type { MigrationStep, SqlDialect } from "#ports/db.ts";

/**
 * Closed accounts, and indexes that read everything about an account in pages. From then on the audit log lets the
 * service erase addresses and details of closed accounts, and nothing else.
 */
export const accountClosure: MigrationStep = {
  name: "0030-account-closure",
  statements: (dialect) => [
    `alter table accounts add column closed_at ${dialect.integer}`,
    "create index accounts_closed on accounts (id) where closed_at is not null",
    "create index threads_by_account_and_id on threads (account_id, id)",
    "create index messages_by_account on messages (account_id, id)",
    "create index actions_by_account on actions (account_id, id)",
    "create index ddos_requests_by_account on ddos_requests (account_id, id)",
    "create index mails_by_account_and_id on mails (account_id, id)",
    `create index idempotency_keys_of_messages on idempotency_keys (reference_id)
       where operation in ('writeToCustomer', 'answerThread')`,
    ...erasableAudit(dialect),
  ],
};

/** True unless the change only erases, and the entry was made by or about a closed account. */
const isForbidden = `
  (new.id, new.at, new.actor, new.action, new.subject)
    <> (old.id, old.at, old.actor, old.action, old.subject)
  or new.ip_address not in (old.ip_address, '')
  or new.detail not in (old.detail, '{}')
  or not exists (select 1 from accounts
    where id in (old.actor, old.subject) and closed_at is not null)`;

function erasableAudit({ engine }: SqlDialect): readonly string[] {
  if (engine === "sqlite") {
    return [
      "drop trigger audit_no_update",
      `create trigger audit_no_update before update on audit when ${isForbidden}
         begin select raise(abort, 'audit is append-only'); end`,
    ];
  }
  return [
    "drop trigger audit_no_update on audit",
    `create function audit_only_erases() returns trigger language plpgsql as
       $$ begin
         if ${isForbidden} then raise exception 'audit is append-only'; end if;
         return new;
       end $$`,
    `create trigger audit_no_update before update on audit
       for each row execute function audit_only_erases()`,
  ];
}
