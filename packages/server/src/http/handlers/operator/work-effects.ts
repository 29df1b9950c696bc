import { reclaimEffect } from "#features/machines/settle-reclaim.ts";
import { actionEffect } from "#features/servers/settle-action.ts";
import { ddosEffect } from "#features/servers/settle-ddos.ts";
import { provisionEffect } from "#features/servers/settle-provisioning.ts";
import { withdrawalEffect } from "#features/withdrawals/settle-withdrawal.ts";
import type { WorkEffects } from "#kernel/work-effects.ts";

/** The effects of completing and failing each kind of work item. */
export const workEffects: WorkEffects = {
  PROVISION: provisionEffect,
  SERVER_ACTION: actionEffect,
  WITHDRAWAL: withdrawalEffect,
  DDOS: ddosEffect,
  RECLAIM: reclaimEffect,
};
