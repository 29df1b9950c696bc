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

/** Simulates a payment, which only the simulated provider supports. */
export function SimulatePaymentPanel() {
  const [address, setAddress] = useState("");
  const [amount, setAmount] = useState("");
  const [confirmations, setConfirmations] = useState("");
  const [transactionId, setTransactionId] = useState("");
  const pay = useChange(client.simulatePayment, [keys.deposits, keys.accounts, keys.overview]);
  const isUnavailable = isOperatorError(pay.error, "simulatePayment", "settlement_unavailable");
  return (
    <Panel
      title="Simulate a payment"
      description="For testing with the simulated settlement provider"
    >
      <Form
        label="Simulate a payment"
        error={isUnavailable ? null : pay.error}
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
        {isUnavailable && (
          <Notice tone="warn" isAnnounced title="The settlement provider is not simulated">
            <p>This service receives real payments.</p>
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
            hint="Empty: as many as required"
            inputMode="numeric"
            value={confirmations}
            onChange={(text) => {
              if (/^\d{0,6}$/.test(text)) setConfirmations(text);
            }}
            autoComplete="off"
          />
          <TextField
            name="transactionId"
            label="Transaction id"
            hint="Empty: a new transaction. An existing id updates its confirmations."
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
            variant="primary"
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
