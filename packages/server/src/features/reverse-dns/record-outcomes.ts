import { audit } from "#kernel/audit.ts";
import { systemCall, type TxScope } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { ok } from "#kernel/result.ts";
import { noteOutcome, noteSameAnswers, type PtrOutcome } from "#kernel/reverse-dns/record-ptrs.ts";
import type { TrackedPtr } from "./tracked-ptrs.ts";

export interface JudgedPtr {
  readonly ptr: TrackedPtr;
  readonly outcome: PtrOutcome;
  /** Undefined if no name server answered. */
  readonly answered: string | undefined;
}

const recordedAtOnce = 200;

/** Records outcomes in transactions of bounded length, with an audit entry for each change of state. */
export async function recordOutcomes(core: Core, judged: readonly JudgedPtr[]): Promise<void> {
  for (let start = 0; start < judged.length; start += recordedAtOnce) {
    const batch = judged.slice(start, start + recordedAtOnce);
    const same = batch.filter(isSame).map(({ ptr }) => ptr.address);
    await core.db.write(async (tx) => {
      if (same.length > 0) await noteSameAnswers({ tx, core }, same);
      for (const one of batch) if (!isSame(one)) await recordOne({ tx, core }, one);
      return ok();
    });
  }
}

function isSame({ ptr, outcome, answered }: JudgedPtr): boolean {
  const isSettled = ptr.state === "PUBLISHED" && outcome.state === "PUBLISHED";
  return isSettled && answered === ptr.answered;
}

async function recordOne(scope: TxScope, { ptr, outcome, answered }: JudgedPtr): Promise<void> {
  const isCurrent = await noteOutcome(scope, ptr, outcome, answered);
  if (!isCurrent || outcome.state === ptr.state || outcome.state === "PENDING") return;
  const { address, name, wanted, published } = ptr;
  const isNews = answered !== ptr.answered || published !== wanted || ptr.state === "FAILED";
  if (outcome.state === "FAILED") {
    const detail = { name, ptr: wanted, error: outcome.error };
    await audit({ ...scope, call: systemCall }, "reverse_dns.fail", address, detail);
  } else if (isNews) {
    await audit({ ...scope, call: systemCall }, "reverse_dns.publish", address, {
      name,
      ptr: wanted,
    });
  }
}
