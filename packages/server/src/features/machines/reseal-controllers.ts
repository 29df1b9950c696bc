import { limits } from "@ironlease/contract";
import { controllerContext, replaceCredential } from "#kernel/controllers.ts";
import type { Core } from "#kernel/core.ts";
import { ok } from "#kernel/result.ts";
import { UnknownSealingKey } from "#ports/sealing.ts";

export interface ResealedControllers {
  readonly resealed: number;
  /** Machines whose credential no key opens. Their controllers must be set again. */
  readonly lost: readonly string[];
}

/** Seals with the current key every credential that is sealed with an older one. */
export async function resealControllers(core: Core): Promise<ResealedControllers> {
  let resealed = 0;
  const lost: string[] = [];
  for await (const { machineId, credential } of storedCredentials(core)) {
    if (await core.sealing.isCurrent(credential)) continue;
    const context = controllerContext(machineId);
    const opened = await core.sealing.open(credential, context).catch((error: unknown) => {
      if (error instanceof UnknownSealingKey) return undefined;
      throw error;
    });
    if (opened === undefined) {
      lost.push(machineId);
      continue;
    }
    const to = await core.sealing.seal(opened, context);
    await core.db.write(async (tx) => {
      await replaceCredential(tx, machineId, { from: credential, to });
      return ok();
    });
    resealed += 1;
  }
  return { resealed, lost };
}

async function* storedCredentials(core: Core) {
  let after = "";
  for (;;) {
    const page = await core.db.read
      .selectFrom("controllers")
      .select(["machine_id as machineId", "credential"])
      .where("machine_id", ">", after)
      .orderBy("machine_id")
      .limit(limits.listLength)
      .execute();
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.machineId;
  }
}
