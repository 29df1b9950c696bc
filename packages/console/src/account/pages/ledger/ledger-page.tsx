import type { ReadLedgerAnswer } from "@ironlease/client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button, LinkButton } from "#ui/button.tsx";
import { download } from "#ui/download.ts";
import { SelectField } from "#ui/field.tsx";
import { Download, Wallet } from "#ui/icons.ts";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { accountRoutes } from "#app/urls.ts";
import { reads } from "#account/data/reads.ts";
import { BillingFrame } from "#account/shared/billing-frame.tsx";
import { ledgerCsv } from "./ledger-csv.ts";
import { LedgerTable } from "#account/shared/ledger-table.tsx";
import { ledgerTypes, type LedgerType } from "#account/shared/ledger-types.ts";

export function LedgerPage() {
  const ledger = useQuery(reads.ledger);
  return (
    <BillingFrame
      title="Billing"
      lead={
        <>
          Your latest 100 ledger entries. For a complete, signed record, download a{" "}
          <TextLink to={accountRoutes.statements}>statement</TextLink>.
        </>
      }
    >
      <Panel isFlush>
        <Loaded query={ledger}>{(data) => <Entries ledger={data} />}</Loaded>
      </Panel>
    </BillingFrame>
  );
}

function Entries({ ledger }: { readonly ledger: ReadLedgerAnswer }) {
  const [type, setType] = useState<LedgerType | "">("");
  const { entries } = ledger;
  if (entries.length === 0) {
    return (
      <EmptyState
        icon={<Wallet className="size-6" />}
        title="No ledger entries yet"
        action={<LinkButton to={accountRoutes.deposit}>Deposit</LinkButton>}
      >
        Deposits, orders and renewals appear here.
      </EmptyState>
    );
  }
  const shown = entries.filter((entry) => type === "" || entry.type === type);
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-4 p-5 sm:p-6">
        <div className="w-full sm:w-64">
          <SelectField
            name="type"
            label="Type"
            value={type}
            onChange={setType}
            options={[
              { value: "", label: "All types" },
              ...(Object.entries(ledgerTypes) as [LedgerType, string][]).map(([value, label]) => ({
                value,
                label,
              })),
            ]}
          />
        </div>
        <Button
          icon={<Download aria-hidden className="size-4" />}
          disabled={shown.length === 0}
          onClick={() => download("ironlease-ledger.csv", "text/csv", ledgerCsv(shown))}
        >
          Download CSV
        </Button>
      </div>
      {shown.length === 0 ? (
        <EmptyState title="No entries of this type among the latest 100" />
      ) : (
        <LedgerTable entries={shown} hasHashes />
      )}
    </>
  );
}
