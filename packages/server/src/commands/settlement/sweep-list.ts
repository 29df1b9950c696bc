import { createChains } from "#composition/create-settlement.ts";
import { readSettlementFile } from "#composition/settlement-file.ts";
import { readConfig } from "#config.ts";
import type { Call } from "#commands/command.ts";
import { checkDataFolder, withDatabase } from "#commands/with-database.ts";
import { readHoldings, type AddressHolding } from "#features/settlement/address-holdings.ts";
import { SettlementFailed, SettlementUnavailable } from "#ports/settlement.ts";

const headings = "network,path,address,asset,units,etherNeeded,unexplainedUnits";

/** Prints what every deposit address holds. Exit code 1 if a node cannot be asked. */
export function sweepList({ env, print, data }: Call): Promise<number> {
  const { settlement: chosen, settlementLagMs } = readConfig("command", env);
  return withDatabase(env, print, checkDataFolder, async ({ db }) => {
    if (typeof chosen !== "object") {
      print("IRONLEASE_SETTLEMENT names no settlement file, so there is nothing to list.");
      return 1;
    }
    const plan = readSettlementFile(chosen.file);
    const documents: object[] = [];
    print(headings);
    try {
      for (const chain of createChains(plan, settlementLagMs)) {
        for (let from: number | undefined = 0; from !== undefined;) {
          const page = await readHoldings({ db, mode: plan.mode, chain }, from);
          for (const holding of page.holdings) {
            const cells = cellsOf(chain.network, holding);
            documents.push(
              Object.fromEntries(headings.split(",").map((name, i) => [name, cells[i]])),
            );
            print(cells.join(","));
          }
          from = page.next;
        }
      }
      data({ holdings: documents });
      return 0;
    } catch (error) {
      if (!(error instanceof SettlementFailed || error instanceof SettlementUnavailable))
        throw error;
      print(`The list is incomplete: ${error.message}`);
      return 1;
    }
  });
}

function cellsOf(network: string, holding: AddressHolding): readonly string[] {
  const { index, address, asset, units, moveUnits, recordedUnits } = holding;
  const unexplained = units > recordedUnits ? units - recordedUnits : 0n;
  return [network, `0/${index}`, address, asset, units, moveUnits, unexplained].map(String);
}
