import type { MigrationStep } from "#ports/db.ts";

/** Customers' second factors, in the same columns as operators' ones, and their recovery codes. */
export const secondFactors: MigrationStep = {
  name: "0028-second-factors",
  statements: ({ integer, strict }) => [
    "alter table accounts add column totp_secret text",
    "alter table accounts add column totp_pending text",
    `alter table accounts add column totp_last_step ${integer}`,
    // Finds the secrets to seal with a new key.
    `create index accounts_with_totp on accounts (id)
       where totp_secret is not null or totp_pending is not null`,
    `create table second_factor_codes (
       account_id text not null references accounts (id),
       code_hash text not null,
       constraint second_factor_codes_pkey primary key (account_id, code_hash)
     )${strict}`,
  ],
};
