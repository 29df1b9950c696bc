import { createTestCore } from "#test/core.ts";
import { startPowerDns } from "#test/powerdns.ts";
import { connect, createBed } from "./bed.ts";

/** Publishes 10,000 records on each engine, changes one, and compares all of them. Prints the times. */
const count = 10_000;
const powerDns = await startPowerDns();
for (const engine of ["sqlite", "postgres"] as const) {
  const opened = await createTestCore(engine);
  const bed = await createBed(opened.core, connect(powerDns), { bits: 16 });
  const server = await bed.server(count);
  const v4 = server.assignmentIds.filter((_, index) => index % 2 === 0);
  for (const [index, id] of v4.entries()) await bed.set(id, `h${index}.example.com`);
  const report = async (what: string) => {
    const start = performance.now();
    const { changed, failures } = await bed.pass();
    const seconds = ((performance.now() - start) / 1_000).toFixed(1);
    console.log(
      `${engine}: ${what}: ${changed} changed, ${failures.length} failures, ${seconds} s`,
    );
  };
  await report(`publish ${count} records`);
  await bed.set(v4[0] ?? "", "changed.example.com");
  await report("change one");
  opened.clock.advance(3_600_000);
  await report("compare all");
  const { pending, failed } = await bed.state();
  console.log(`${engine}: ${pending} pending, ${failed} failed`);
  if (pending + failed > 0) process.exitCode = 1;
  await opened.dispose();
}
await powerDns.stop();
