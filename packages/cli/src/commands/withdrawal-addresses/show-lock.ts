import { command } from "#command.ts";
import { output } from "#output/output.ts";
import { lockText } from "#steps/withdrawal-lock.ts";

export const showWithdrawalLock = command({
  words: ["withdrawal-lock", "show"],
  summary: "Show whether withdrawals are locked.",
  examples: [
    { line: "ironlease withdrawal-lock show", meaning: "The lock, and a requested unlock." },
  ],
  run: async ({ context }) => {
    const client = await context.member();
    return output(await client.readWithdrawalLock(context.calling), lockText);
  },
});
