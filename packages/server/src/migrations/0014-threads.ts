import type { MigrationStep } from "#ports/db.ts";

/**
 * The conversation between customers and operators. A thread with a `topic` is the only one of that topic: each server
 * has one, and so have the withdrawals of an account.
 */
export const threads: MigrationStep = {
  name: "0014-threads",
  statements: ({ integer, strict }) => [
    `create table threads (
       id text primary key,
       account_id text not null references accounts (id),
       topic text,
       server_id text references servers (id),
       region_id text,
       opened_by text not null,
       subject text not null,
       state text not null,
       created_at ${integer} not null,
       last_message_at ${integer} not null,
       customer_unread ${integer} not null,
       operator_unread ${integer} not null,
       assigned_to text references operators (id),
       constraint threads_opened_by_known check (opened_by in ('CUSTOMER', 'OPERATOR')),
       constraint threads_state_known check (state in ('OPEN', 'CLOSED')),
       constraint threads_subject_bounded check (length(subject) between 1 and 200),
       constraint threads_unread_not_negative check (customer_unread >= 0 and operator_unread >= 0),
       constraint threads_topic_unique unique (topic)
     )${strict}`,
    "create index threads_by_account on threads (account_id, last_message_at, id)",
    "create index threads_by_time on threads (last_message_at, id)",
    "create index threads_by_region on threads (region_id, last_message_at, id)",
    "create index threads_by_assignee on threads (assigned_to, last_message_at, id)",
    "create index threads_unread on threads (last_message_at, id) where operator_unread > 0",
    `create index threads_open_by_customer on threads (account_id)
       where state = 'OPEN' and opened_by = 'CUSTOMER' and topic is null`,
    `create table messages (
       id text primary key,
       thread_id text not null references threads (id),
       account_id text not null references accounts (id),
       sender text not null,
       operator_id text references operators (id),
       text text not null,
       created_at ${integer} not null,
       constraint messages_sender_known check (sender in ('CUSTOMER', 'OPERATOR', 'SERVICE')),
       constraint messages_operator_fits check ((sender = 'OPERATOR') = (operator_id is not null)),
       constraint messages_text_bounded check (length(text) between 1 and 8192)
     )${strict}`,
    "create index messages_by_thread on messages (thread_id, id)",
  ],
};
