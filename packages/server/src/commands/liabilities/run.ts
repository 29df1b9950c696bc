import { UsageError } from "@ironlease/command-line";
import { usdFromCents, usdText } from "@ironlease/contract";
import type { Call } from "#commands/command.ts";
import { checkDataFolder, withDatabase } from "#commands/with-database.ts";
import { signLiabilities } from "#features/liabilities/sign-liabilities.ts";
import { dateOf } from "#kernel/liability-trees.ts";

type RunCall = Call<unknown, { readonly date: string | undefined }>;

/** Signs today's balances of all customers. Exit code 1 if nothing can be signed. */
export function runLiabilities({ options, env, print, data }: RunCall): Promise<number> {
  return withDatabase(env, print, checkDataFolder, async (core) => {
    const today = dateOf(core.clock.now());
    if (options.date !== undefined && options.date !== today) {
      const problem = `--date must be today, ${today} (UTC): only current balances can be signed.`;
      throw new UsageError(problem, "ironleased liabilities run --help");
    }
    const signed = await signLiabilities(core);
    if (signed === undefined) {
      print("Nothing was signed: there are no accounts, or a later date is signed already.");
      return 1;
    }
    const { date, totalCents, accounts, rootHash } = signed.tree;
    const totalUsd = usdFromCents(totalCents);
    data({ date, totalUsd, accounts, rootHash, isNew: signed.isNew });
    const done = signed.isNew ? "Signed" : "Already signed";
    print(`${done} for ${date}: ${usdText(totalCents)} USD owed to ${accounts} accounts.`);
    print(`Root: ${rootHash}`);
    return 0;
  });
}
