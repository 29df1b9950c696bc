import type { MigrationStep } from "#ports/db.ts";

/** The replies that the desk offered before operators could change them. */
const firstReplies = [
  ["We are on it", "Thank you for your message. We are looking into it and will write again here."],
  [
    "Need more details",
    "Thank you for your message. Please tell us when it happened, what you expected and what you saw instead, so that we can reproduce it.",
  ],
  [
    "Hardware check planned",
    "We will check the hardware. The server will be off for a short time. Please tell us which time suits you, in UTC.",
  ],
  ["Resolved", "This is resolved. We close the thread, and a new message from you opens it again."],
] as const;

/**
 * Customers' own names for servers, notices from operators, and replies that operators start from. A notice without
 * targets is for everyone. Of two operators who count the rows of a table at once, only one gets the next number, so
 * that its limit holds.
 */
export const notices: MigrationStep = {
  name: "0016-notices",
  statements: ({ integer, strict }) => [
    `alter table servers add column label text not null default ''
       constraint servers_label_bounded check (length(label) <= 64)`,
    `create table notices (
       id text primary key,
       number ${integer} not null,
       kind text not null,
       title text not null,
       text text not null,
       starts_at ${integer} not null,
       ends_at ${integer} not null,
       is_for_all ${integer} not null,
       published_by text not null references operators (id),
       created_at ${integer} not null,
       constraint notices_number_unique unique (number),
       constraint notices_kind_known check (kind in ('MAINTENANCE', 'INCIDENT')),
       constraint notices_title_bounded check (length(title) between 1 and 200),
       constraint notices_text_bounded check (length(text) between 1 and 4000),
       constraint notices_ends_later check (ends_at > starts_at),
       constraint notices_is_for_all_known check (is_for_all in (0, 1))
     )${strict}`,
    "create index notices_by_end on notices (ends_at, id)",
    `create table notice_targets (
       notice_id text not null references notices (id),
       kind text not null,
       target text not null,
       constraint notice_targets_pkey primary key (notice_id, kind, target),
       constraint notice_targets_kind_known check (kind in ('REGION', 'SERVER'))
     )${strict}`,
    "create index notice_targets_by_target on notice_targets (kind, target)",
    `create table saved_replies (
       id text primary key,
       number ${integer} not null,
       name text not null,
       text text not null,
       constraint saved_replies_number_unique unique (number),
       constraint saved_replies_name_unique unique (name),
       constraint saved_replies_name_bounded check (length(name) between 1 and 64),
       constraint saved_replies_text_bounded check (length(text) between 1 and 8192)
     )${strict}`,
    ...firstReplies.map(
      ([name, text], index) =>
        `insert into saved_replies (id, number, name, text)
           values ('rpl_0000000000000000000000000${index + 1}', ${index + 1}, '${name}', '${text}')`,
    ),
  ],
};
