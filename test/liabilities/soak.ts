import { monitorEventLoopDelay } from "node:perf_hooks";
import { sql } from "kysely";
import { eventLoopPacer } from "#server/adapters/system/event-loop-pacer.ts";
import { readLiabilities } from "#server/features/liabilities/read-liabilities.ts";
import { signLiabilities } from "#server/features/liabilities/sign-liabilities.ts";
import { ok } from "#server/kernel/result.ts";
import { createTestCore } from "#test/core.ts";

/**
 * Signs the balances of 100,000 accounts on each engine. Prints the time, the longest pause of the event loop, the peak
 * of memory, the stored bytes and the time of a proof.
 */
const count = 100_000;
const megabytes = (bytes: number) => (bytes / 1024 ** 2).toFixed(1);
const accountOf = (number: number) => `acc_${String(number).padStart(26, "0")}`;

for (const engine of ["sqlite", "postgres"] as const) {
  const opened = await createTestCore(engine);
  const core = { ...opened.core, pacer: eventLoopPacer };
  const all = sql`with recursive numbers(n) as
    (select 1 union all select n + 1 from numbers where n < ${sql.lit(count)})`;
  const id =
    engine === "sqlite" ? sql`printf('acc_%026d', n)` : sql`'acc_' || lpad(n::text, 26, '0')`;
  await core.db.write(async (tx) => {
    await sql`insert into accounts (id, username, password_hash, recovery_hash, created_at)
      ${all} select ${id}, ${id}, '', '', 0 from numbers`.execute(tx);
    await sql`insert into balances ${all} select ${id}, n, n % 7, 0, 0, 0, null from numbers`.execute(
      tx,
    );
    return ok();
  });
  const before = process.memoryUsage().rss;
  let peak = before;
  const sampling = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 5);
  const pauses = monitorEventLoopDelay({ resolution: 1 });
  pauses.enable();
  const start = performance.now();
  const signed = await signLiabilities(core);
  const seconds = (performance.now() - start) / 1_000;
  pauses.disable();
  clearInterval(sampling);
  const { rows } = await sql<{ bytes: number }>`select sum(length(nodes)) as bytes
    from liability_chunks`.execute(core.db.read);
  const readStart = performance.now();
  const reads = 200;
  for (let number = 1; number <= reads; number += 1) {
    const { date = "" } = signed?.tree ?? {};
    const read = await readLiabilities(core, accountOf(number * 400), date);
    if (!read.ok || read.value.proof?.balanceCents === undefined) process.exitCode = 1;
  }
  const perRead = (performance.now() - readStart) / reads;
  console.log(
    `${engine}: ${signed?.tree.accounts} accounts signed in ${seconds.toFixed(1)} s, ` +
      `longest pause ${(pauses.max / 1e6).toFixed(0)} ms, memory +${megabytes(peak - before)} MB, ` +
      `stored ${megabytes(Number(rows[0]?.bytes))} MB, a proof in ${perRead.toFixed(2)} ms`,
  );
  await opened.dispose();
}
