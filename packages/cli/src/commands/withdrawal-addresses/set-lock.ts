import { command } from "#command.ts";
import { output } from "#output/output.ts";
import { lockText } from "#steps/withdrawal-lock.ts";

export const setWithdrawalLock = command({
  words: ["withdrawal-lock", "set"],
  summary: "Lock or unlock withdrawals.",
  description: [
    "While locked, withdrawals go only to addresses that were saved at least 48 hours ago. Locking takes effect at " +
      "once, unlocking after 48 hours.",
  ],
  arguments: [{ name: "switch", choices: ["on", "off"], meaning: "The lock." }],
  fields: ["locked", "unlocksAt"],
  examples: [{ line: "ironlease withdrawal-lock set on", meaning: "Lock withdrawals." }],
  run: async ({ args, context }) => {
    const client = await context.member();
    const request = { locked: args.switch === "on" };
    return output(await client.setWithdrawalLock(request, context.calling), lockText);
  },
});
