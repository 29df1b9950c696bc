import { createChains } from "#composition/create-settlement.ts";
import { readSettlementFile } from "#composition/settlement-file.ts";
import { readConfig } from "#config.ts";
import type { Call } from "#commands/command.ts";
import { checkDataFolder, withDatabase } from "#commands/with-database.ts";
import { readHoldings, type AddressHolding } from "#features/settlement/address-holdings.ts";
import { SettlementFailed, SettlementUnavailable } from "#ports/settlement.ts";
import { holdingColumns, type HoldingDocument } from "./columns.ts";

/** Prints what every deposit address holds. Exit code 1 if a node cannot be asked. */
export function sweepList({ env, print, data }: Call): Promise<number> {
  const { settlement: chosen, settlementLagMs } = readConfig("command", env);
  return withDatabase(env, print, checkDataFolder, async ({ db }) => {
    if (typeof chosen !== "object") {
      print("IRONLEASE_SETTLEMENT names no settlement file, so there is nothing to list.");
      return 1;
    }
    const plan = readSettlementFile(chosen.file);
    const holdings: HoldingDocument[] = [];
    print(holdingColumns.map(({ field }) => field).join(","));
    try {
      for (const chain of createChains(plan, settlementLagMs)) {
        for (let from: number | undefined = 0; from !== undefined;) {
          const page = await readHoldings({ db, mode: plan.mode, chain }, from);
          for (const holding of page.holdings) {
            const document = documentOf(chain.network, holding);
            holdings.push(document);
            print(Object.values(document).join(","));
          }
          from = page.next;
        }
      }
      data({ holdings }, { rows: holdings, columns: holdingColumns });
      return 0;
    } catch (error) {
      if (!(error instanceof SettlementFailed || error instanceof SettlementUnavailable))
        throw error;
      print(`The list is incomplete: ${error.message}`);
      return 1;
    }
  });
}

function documentOf(network: string, holding: AddressHolding): HoldingDocument {
  const { index, address, asset, units, moveUnits, recordedUnits } = holding;
  const unexplained = units > recordedUnits ? units - recordedUnits : 0n;
  return {
    network,
    path: `0/${index}`,
    address,
    asset,
    units: String(units),
    etherNeeded: String(moveUnits),
    unexplainedUnits: String(unexplained),
  };
}
