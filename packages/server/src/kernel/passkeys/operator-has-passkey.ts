import { sql } from "kysely";

/** 1 if the operator `o` of the query has a passkey, which is a second factor, else 0. */
export const operatorHasPasskey = sql<number>`case when exists
  (select 1 from passkeys where passkeys.operator_id = o.id) then 1 else 0 end`;
