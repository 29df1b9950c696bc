import type { MigrationStep } from "#ports/db.ts";

/** Certificates by ACME, shared by all instances. Private keys are sealed. */
export const certificates: MigrationStep = {
  name: "0038-certificates",
  statements: ({ integer, strict }) => [
    `create table acme_accounts (
       directory text primary key,
       private_key text not null,
       created_at ${integer} not null
     )${strict}`,
    `create table acme_certificates (
       directory text not null,
       names text not null,
       certificate text,
       private_key text,
       expires_at ${integer},
       failures ${integer} not null,
       error text,
       due_at ${integer} not null,
       leased_by text,
       leased_until ${integer} not null,
       primary key (directory, names)
     )${strict}`,
    `create table acme_challenges (
       token text primary key,
       answer text not null,
       expires_at ${integer} not null
     )${strict}`,
    "create index acme_challenges_by_expiry on acme_challenges (expires_at)",
  ],
};
