import { tellOutcome } from "#kernel/outcomes.ts";
import type { Effect, Job } from "#kernel/work-effects.ts";

/** Tells the customer what became of the work that they had asked for, with the operator's note or reason. */
export async function tellCustomer(
  job: Job,
  { report }: Pick<Effect, "report">,
  note: string | null,
): Promise<void> {
  if (report === undefined) return;
  const { accountId, serverId } = job.item;
  const { operatorId } = job.call.operator;
  await tellOutcome(job, { accountId, serverId, operatorId, report, note });
}
