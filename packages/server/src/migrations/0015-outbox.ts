import type { MigrationStep } from "#ports/db.ts";

/**
 * The outbox. A write adds one delivery for each subscriber of its event in its own transaction; jobs send them later.
 * Deliveries that are still to be sent have a `due_at`, and only they are in the index that the jobs read.
 */
export const outbox: MigrationStep = {
  name: "0015-outbox",
  statements: ({ integer, strict }) => [
    `create table subscribers (
       id text primary key,
       account_id text not null references accounts (id),
       channel text not null,
       events text,
       created_at ${integer} not null,
       disabled_at ${integer},
       failing_since ${integer},
       last_failed_at ${integer},
       leased_until ${integer} not null,
       paused_until ${integer} not null,
       constraint subscribers_channel_known check (channel in ('WEBHOOK', 'EMAIL')),
       constraint subscribers_failures_fit check ((failing_since is null) = (last_failed_at is null))
     )${strict}`,
    "create index subscribers_by_account on subscribers (account_id, id)",
    `create table deliveries (
       subscriber_id text not null references subscribers (id) on delete cascade,
       id text not null,
       account_id text not null,
       channel text not null,
       event text not null,
       data text not null,
       created_at ${integer} not null,
       due_at ${integer},
       first_due_at ${integer} not null,
       attempts ${integer} not null,
       last_status ${integer},
       delivered_at ${integer},
       constraint deliveries_pkey primary key (subscriber_id, id),
       constraint deliveries_delivered_once check (delivered_at is null or due_at is null)
     )${strict}`,
    `create index deliveries_due on deliveries (channel, subscriber_id, due_at)
       where due_at is not null`,
    "create index deliveries_by_age on deliveries (created_at)",
    `create table webhooks (
       id text primary key,
       account_id text not null references accounts (id),
       url text not null,
       secret text not null,
       previous_secret text,
       previous_until ${integer},
       constraint webhooks_previous_fits check ((previous_secret is null) = (previous_until is null))
     )${strict}`,
    "create index webhooks_by_account on webhooks (account_id, id)",
    `create table low_balances (
       account_id text primary key references accounts (id),
       since ${integer} not null
     )${strict}`,
  ],
};
