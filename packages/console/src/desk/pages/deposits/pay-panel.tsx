import { isOperatorError } from "@ironlease/client/operator";
import { useState } from "react";
import { useChange } from "#data/use-change.ts";
import { Button } from "#ui/button.tsx";
import { TextField } from "#ui/field.tsx";
import { Form } from "#ui/form.tsx";
import { Notice } from "#ui/notice.tsx";
import { Panel } from "#ui/panel.tsx";
import { client } from "#desk/data/client.ts";
import { keys } from "#desk/data/reads.ts";

/** Pretends that somebody paid. There is nothing behind it but the simulated provider. */
export function PayPanel() {
  const [address, setAddress] = useState("");
  const [amount, setAmount] = useState("");
  const [confirmations, setConfirmations] = useState("");
  const [transactionId, setTransactionId] = useState("");
  const pay = useChange(client.simulatePayment, [keys.deposits, keys.accounts, keys.overview]);
  const isElsewhere = isOperatorError(pay.error, "simulatePayment", "settlement_unavailable");
  return (
    <Panel
      title="Pay a simulated address"
      description="For trying things out: it exists only where the settlement provider is simulated."
    >
      <Form
        label="Pay a simulated address"
        error={isElsewhere ? null : pay.error}
        onSubmit={() =>
          pay.mutate(
            {
              address: address.trim(),
              amount: amount.trim(),
              ...(confirmations === "" ? {} : { confirmations: Number(confirmations) }),
              ...(transactionId.trim() === "" ? {} : { transactionId: transactionId.trim() }),
            },
            { onSuccess: (paid) => setTransactionId(paid.transactionId) },
          )
        }
      >
        {isElsewhere && (
          <Notice tone="warn" isNews title="This service has no simulated provider">
            <p>Payments come from the network here.</p>
          </Notice>
        )}
        <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)_minmax(0,2fr)]">
          <TextField
            name="address"
            label="Address"
            placeholder="sim-btc-…"
            value={address}
            onChange={setAddress}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            isMono
          />
          <TextField
            name="amount"
            label="Amount"
            placeholder="0.01"
            inputMode="decimal"
            value={amount}
            onChange={setAmount}
            autoComplete="off"
          />
          <TextField
            name="confirmations"
            label="Confirmations"
            hint="Empty: as many as are needed."
            inputMode="numeric"
            value={confirmations}
            onChange={(text) => {
              if (/^\d{0,6}$/.test(text)) setConfirmations(text);
            }}
            autoComplete="off"
          />
          <TextField
            name="transactionId"
            label="Transaction"
            hint="The same again moves its confirmations; empty makes a new one."
            value={transactionId}
            onChange={setTransactionId}
            autoComplete="off"
            spellCheck={false}
            isMono
          />
        </div>
        <div className="flex flex-wrap items-center gap-4">
          <Button
            type="submit"
            look="primary"
            isPending={pay.isPending}
            disabled={address.trim() === "" || amount.trim() === ""}
          >
            Pay
          </Button>
          {pay.isSuccess && (
            <p role="status" className="text-sm text-good">
              Sent. The service sees it within a few seconds.
            </p>
          )}
        </div>
      </Form>
    </Panel>
  );
}
