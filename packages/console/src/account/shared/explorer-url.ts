import type { Deposit } from "@ironlease/client";

type Explorers = Readonly<Partial<Record<Deposit["asset"], string>>>;

/** The block explorers that the service's settings name, from the page's head. */
const explorers = readExplorers();

function readExplorers(): Explorers {
  const meta = document.querySelector<HTMLMetaElement>("meta[name=explorers]");
  return meta === null ? {} : (JSON.parse(meta.content) as Explorers);
}

/** The page of a transaction in a block explorer. None knows simulated transactions. */
export function explorerUrl({
  asset,
  mode,
  transactionId,
}: Pick<Deposit, "asset" | "transactionId"> & Partial<Pick<Deposit, "mode">>): string | undefined {
  if (mode === "SIMULATED") return undefined;
  return explorers[asset]?.replaceAll("{transactionId}", encodeURIComponent(transactionId));
}
