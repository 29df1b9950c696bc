import type { MigrationStep } from "#ports/db.ts";
import { appendOnly } from "./append-only.ts";

/**
 * Prices that operators set: a log per asset. An entry proposes a rate, sets one (with the proposal of another
 * operator, where two are needed), or voids the proposal of an operator who was disabled.
 */
export const rates: MigrationStep = {
  name: "0011-rates",
  statements: (dialect) => {
    const { integer, strict } = dialect;
    return [
      `create table rates (
         id text primary key,
         asset text not null,
         sequence ${integer} not null,
         kind text not null,
         usd text not null,
         at ${integer} not null,
         valid_until ${integer} not null,
         set_by text not null references operators (id),
         proposal_id text references rates (id),
         proposed_by text references operators (id),
         constraint rates_kind_known check (kind in ('PROPOSED', 'SET', 'VOIDED')),
         constraint rates_valid_until_after_at check (valid_until > at),
         constraint rates_proposal_fits
           check (case kind when 'PROPOSED' then proposal_id is null
             when 'SET' then (proposal_id is null) = (proposed_by is null)
             else proposal_id is not null end),
         constraint rates_two_operators check (kind <> 'SET' or proposed_by <> set_by),
         constraint rates_proposal_id_unique unique (proposal_id),
         constraint rates_asset_sequence_unique unique (asset, sequence)
       )${strict}`,
      "create index rates_by_kind on rates (asset, kind, sequence)",
      ...appendOnly("rates", dialect),
    ];
  },
};
