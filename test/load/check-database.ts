import { verifyInvariants } from "#server/features/verification/verify-invariants.ts";
import type { Db } from "#server/ports/db.ts";
import type { Acknowledged } from "./workload.ts";
import type { TestBed } from "./test-bed.ts";

export function checkDatabase(testBed: TestBed): Promise<readonly string[]> {
  return testBed.withCore(({ db }) => problemsIn(db, testBed.workload.acknowledged));
}

/** Reports acknowledged writes that are missing or were acknowledged twice, and violated invariants. */
async function problemsIn(db: Db, acknowledged: Acknowledged): Promise<readonly string[]> {
  const orders = await db.read.selectFrom("orders").select("id").execute();
  const withdrawals = await db.read.selectFrom("withdrawals").select("id").execute();
  const actions = await db.read.selectFrom("actions").select("id").execute();
  const work = db.read.selectFrom("work").select("id").where("state", "=", "DONE");
  const findings = await verifyInvariants(db);
  return [
    ...missingOrDuplicate("orders", acknowledged.orders, orders),
    ...missingOrDuplicate("withdrawals", acknowledged.withdrawals, withdrawals),
    ...missingOrDuplicate("actions", acknowledged.actions, actions),
    ...missingOrDuplicate("completed work items", acknowledged.completed, await work.execute()),
    ...findings.flatMap(({ number, offenders }) =>
      offenders.map(({ subject, problem }) => `invariant ${number}: ${subject}: ${problem}`),
    ),
  ];
}

function missingOrDuplicate(
  noun: string,
  acknowledgedIds: readonly string[],
  rows: readonly { readonly id: string }[],
): readonly string[] {
  const stored = new Set(rows.map(({ id }) => id));
  const missing = acknowledgedIds.filter((id) => !stored.has(id));
  const hasDuplicates = new Set(acknowledgedIds).size !== acknowledgedIds.length;
  return [
    ...(missing.length > 0 ? [`${missing.length} acknowledged ${noun} are missing`] : []),
    ...(hasDuplicates ? [`some ${noun} were acknowledged twice`] : []),
  ];
}
