import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { BenchDatabase } from "./bench-database.ts";

const connections = 4;

/**
 * Orders per second with `pgbench`, PostgreSQL's load generator in C, running the statements of an order.
 * Undefined if `pgbench` is not installed.
 */
export async function pgbench(
  { databaseUrl }: BenchDatabase,
  customers: number,
  seconds: number,
): Promise<number | undefined> {
  if (databaseUrl === undefined) return undefined;
  const program = process.env["PGBENCH"] ?? "pgbench";
  const folder = mkdtempSync(join(tmpdir(), "ironlease-pgbench-"));
  const script = join(folder, "order.sql");
  writeFileSync(script, orderScript(customers));
  const options = ["-n", "-M", "prepared", "-c", String(connections), "-j", "1"];
  try {
    const { stdout } = await promisify(execFile)(program, [
      ...options,
      ...["-T", String(Math.ceil(seconds)), "-f", script],
      databaseUrl,
    ]);
    return Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The minimal statements of an order by a random customer, as a pgbench script. */
function orderScript(customers: number): string {
  const account = "'acc_bench' || lpad(:customer::text, 6, '0')";
  // Unique: the client's number, and two random numbers from a range too large to repeat.
  const id = "'pgb-' || :client_id || '-' || :n || '-' || :m";
  return `
\\set customer random(0, ${customers - 1})
\\set n random(1, 1000000000)
\\set m random(1, 1000000000)
begin;
insert into idempotency_keys values (${account}, 'raw', ${id}, 'hash', 0, '', 0) on conflict do nothing;
select version, updated_at from catalogues where id = 1;
update balances set available_cents = available_cents - 100, entries = entries + 1 where account_id = ${account} and available_cents >= 100 returning available_cents, entries \\gset
insert into journal values (${id}, 0, 'ORDER_CHARGE', 'order/' || ${id}, 'customer/' || ${account} || '/spendable', 'house/revenue', 100, ${account}, :entries, -100, :available_cents, 0, 'raw', 'order', ${id});
update stock set free = free - 1 where config_id = 'bench' and region_id = 'bench' and free >= 1;
update machines set state = 'RESERVED' where id in (select id from machines where config_id = 'bench' and region_id = 'bench' and state = 'FREE' order by id limit 1) returning id as machine \\gset
insert into orders values (${id}, ${account}, 'bench', 'bench', 'bench', 'weekly', 1, 100, null, 0);
insert into servers values (${id}, ${account}, ${id}, 'bench', 'bench', 'bench', null, 'PROVISIONING', 'weekly', 100, null, null, 1, 'BASELINE', null, 0, :machine, 0, null);
insert into work values (${id}, 'PROVISION', 'OPEN', 0, null, null, ${account}, ${id}, ${id}, null, null, null, '{}', '[]', null, null, null);
insert into audit values (${id}, 0, ${account}, 'order.place', ${id}, '{}', '127.0.0.1');
update idempotency_keys set status = 201, body = '{}' where owner_id = ${account} and operation = 'raw' and key = ${id};
commit;
`;
}
