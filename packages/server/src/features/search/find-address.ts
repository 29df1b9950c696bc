import { sql } from "kysely";
import type { Core } from "#kernel/core.ts";
import type { SearchResult } from "./search-result.ts";
import { selectServer } from "./selections.ts";

/** The server that has an address now, in the form in which assignments are stored. */
export async function findAddress({ db }: Core, address: string): Promise<readonly SearchResult[]> {
  const { rows } = await sql<SearchResult>`
    ${selectServer({ by: "address", text: sql`${address}` })}
    where servers.id = (
      select server_id from assignments where address = ${address} and released_at is null)
  `.execute(db.read);
  return rows;
}
