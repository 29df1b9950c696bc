import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Db } from "#ports/db.ts";
import { checkChains } from "./chain-invariant.ts";
import { checkLiabilities } from "./liability-invariant.ts";
import { maxOffenders, type Finding } from "./invariant.ts";
import { invariants } from "./invariants.ts";

/** Checks every invariant on a running or a stopped database. */
export async function verifyInvariants(db: Db): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const { number, title, count, offenders } of invariants) {
    const { rows: counted } = await count.execute(db.read);
    const { rows } = await sql<{ subject: string; problem: string }>`
      select subject, problem from (${offenders}) as offenders limit ${sql.lit(maxOffenders + 1)}
    `.execute(db.read);
    findings.push({
      number,
      title,
      count: counted[0]?.count ?? 0,
      offenders: rows.slice(0, maxOffenders),
      more: rows.length > maxOffenders,
    });
  }
  findings.push(await checkChains(db));
  findings.push(await checkLiabilities(db));
  return findings;
}

/**
 * A digest of the data that customers see (names and amounts, no ids or times). Two databases have the same digest
 * after the same operations, on either engine.
 */
export async function stateDigest(db: Db): Promise<string> {
  const { rows } = await sql<{ line: string }>`
    select case when a.closed_at is null then a.username else 'closed' end || ' ' || b.available_cents || ' ' || b.held_cents || ' ' || b.entries
      || ' ' || (select count(*) from orders o where o.account_id = a.id)
      || ' ' || (select count(*) from servers s where s.account_id = a.id and s.state <> 'TERMINATED')
      || ' ' || (select count(*) from withdrawals w where w.account_id = a.id) as line
    from accounts a join balances b on b.account_id = a.id 
  `.execute(db.read);
  const digest = createHash("sha256");
  for (const line of rows.map((row) => row.line).toSorted()) digest.update(`${line}\n`);
  return digest.digest("hex");
}
