import type { Chain } from "@ironlease/client/operator";
import { Badge } from "#ui/badge.tsx";
import { coinText } from "#ui/coin-text.ts";
import { Panel } from "#ui/panel.tsx";
import { NoValue, Table, type Column } from "#ui/table.tsx";
import { Age } from "#desk/shared/age.tsx";

type Balance = Chain["balances"][number];

/** What the wallets hold against what the books say. A difference is for a person to explain. */
export function BalancesPanel({ chains }: { readonly chains: readonly Chain[] }) {
  const balances = chains.flatMap((chain) => chain.balances);
  // Simulated chains have no wallet to compare with.
  if (balances.every(({ walletUnits }) => walletUnits === null)) return null;
  return (
    <Panel
      title="Wallets"
      description="Coins that the nodes see, and what the ledger expects: credited deposits, less payouts and their fees."
      isFlush
    >
      <Table
        label="Wallets"
        isDense
        columns={columns}
        rows={balances}
        keyOf={({ asset }) => asset}
      />
    </Panel>
  );
}

const columns: readonly Column<Balance>[] = [
  { title: "Asset", isHeading: true, cell: ({ asset }) => asset },
  {
    title: "Wallet",
    isNumber: true,
    place: "labelled",
    cell: ({ asset, walletUnits, walletAt }) =>
      walletUnits === null ? (
        <NoValue />
      ) : (
        <span className="flex flex-col card:inline">
          {coinText(BigInt(walletUnits), asset)}{" "}
          {walletAt !== null && (
            <span className="text-xs text-quiet">
              <Age since={walletAt} /> ago
            </span>
          )}
        </span>
      ),
  },
  {
    title: "Ledger",
    isNumber: true,
    place: "labelled",
    cell: ({ asset, ledgerUnits }) => coinText(BigInt(ledgerUnits), asset),
  },
  {
    title: "Difference",
    isNumber: true,
    place: "corner",
    cell: (balance) => <Difference balance={balance} />,
  },
];

function Difference({ balance }: { readonly balance: Balance }) {
  const { asset, walletUnits, ledgerUnits } = balance;
  if (walletUnits === null) return <NoValue />;
  const units = BigInt(walletUnits) - BigInt(ledgerUnits);
  if (units === 0n) return <Badge tone="good">None</Badge>;
  return <Badge tone={units < 0n ? "bad" : "warn"}>{coinText(units, asset)}</Badge>;
}
