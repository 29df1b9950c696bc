import type { CompleteWorkRequest, WorkItem } from "@ironlease/client/operator";
import { useEffect, useRef, useState } from "react";
import { apiErrorOf } from "#data/api-errors.ts";
import { useDraft } from "#data/use-draft.ts";
import { Button } from "#ui/button.tsx";
import { ConfirmDialog } from "#ui/confirm-dialog.tsx";
import { CheckBox, TextArea, TextField } from "#ui/field.tsx";
import { Form } from "#ui/form.tsx";
import { client } from "#desk/data/client.ts";
import { isCounted, earlierTransactionOf } from "./approvals.tsx";
import { quoteOf, textOf } from "#desk/shared/work-detail.ts";
import { kinds } from "#desk/shared/work-kinds.tsx";
import { useWorkStep } from "./use-work-step.ts";

/** Completes an item. The fields depend on its kind. */
export function CompleteForm({
  item,
  takesFocus = true,
}: {
  readonly item: WorkItem;
  /** After claiming, the operator continues here by keyboard. */
  readonly takesFocus?: boolean;
}) {
  const { id, kind } = item;
  const field = fieldOf(item);
  const [value, setValue] = useState(
    kind === "WITHDRAWAL" ? (earlierTransactionOf(item) ?? "") : "",
  );
  const [note, setNote] = useDraft(`work-note/${id}`);
  const [isUnverified, setIsUnverified] = useState(false);
  const complete = useWorkStep((request: CompleteWorkRequest) => client.completeWork(request));
  const first = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (takesFocus) (first.current ?? button.current)?.focus();
  }, [takesFocus]);
  const [isConfirming, setIsConfirming] = useState(false);
  const open = (item.checklist ?? []).filter(({ tickedBy }) => tickedBy === null);
  const openSteps = open.length;
  // The first of two operators has not paid yet.
  const isFirstApproval = kind === "WITHDRAWAL" && value.trim() === "";
  const send = () => {
    const request = {
      id,
      ...(field === undefined || value.trim() === "" ? {} : { [field.name]: value.trim() }),
      ...(note.trim() === "" ? {} : { note: note.trim() }),
      ...(isUnverified ? { unverified: true } : {}),
    };
    complete.mutate(request, { onSuccess: () => setNote("") });
  };
  return (
    <>
      <Form
        label={kinds[kind].complete}
        error={complete.error}
        onSubmit={() => {
          if (openSteps === 0 || isFirstApproval) send();
          else setIsConfirming(true);
        }}
      >
        {field !== undefined && (
          <TextField
            ref={first}
            name={field.name}
            label={field.label}
            hint={field.hint}
            {...(field.name === "quoteUsd" ? { prefix: "$", inputMode: "decimal" as const } : {})}
            value={value}
            onChange={setValue}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            isMono
          />
        )}
        <TextArea
          name="note"
          label="Note"
          hint={noteHint(kind)}
          rows={3}
          value={note}
          onChange={setNote}
        />
        {(isUnverified || apiErrorOf(complete.error)?.code === "settlement_unavailable") && (
          <CheckBox
            label="Complete without asking the network. I have seen the payment in another way, as the note says."
            isChecked={isUnverified}
            onChange={setIsUnverified}
          />
        )}
        <div>
          <Button ref={button} type="submit" variant="primary" isPending={complete.isPending}>
            {kinds[kind].complete}
          </Button>
        </div>
      </Form>
      <ConfirmDialog
        isOpen={isConfirming}
        title={openSteps === 1 ? "1 step is not ticked" : `${openSteps} steps are not ticked`}
        description={
          <ul className="list-disc pl-5">
            {open.map(({ line }) => (
              <li key={line} className="wrap-anywhere">
                {line}
              </li>
            ))}
          </ul>
        }
        confirmLabel="Complete anyway"
        isPending={false}
        error={null}
        onConfirm={() => {
          setIsConfirming(false);
          send();
        }}
        onClose={() => setIsConfirming(false)}
      />
    </>
  );
}

/** No customer requests a RECLAIM, so its note stays at the desk. */
function noteHint(kind: WorkItem["kind"]): string {
  return kind === "RECLAIM"
    ? "What was done or seen. Only operators see this."
    : "What was done, seen or agreed. The customer reads it with the outcome.";
}

interface KindField {
  readonly name: "hostname" | "transactionId" | "quoteUsd";
  readonly label: string;
  readonly hint: string;
}

function fieldOf({ kind, detail, approvals }: WorkItem): KindField | undefined {
  if (kind === "PROVISION") {
    return {
      name: "hostname",
      label: "Hostname",
      hint: "Leave empty to have one generated.",
    };
  }
  if (kind === "WITHDRAWAL") {
    return {
      name: "transactionId",
      label: "Transaction id",
      hint:
        approvals.filter(isCounted).length === 0
          ? "The id of the payment. Leave empty for the first of two approvals, and pay only after both."
          : "The id of the payment",
    };
  }
  const isAdvanced = kind === "DDOS" && textOf(detail, "mode") === "ADVANCED";
  if (isAdvanced && quoteOf({ detail }) === undefined) {
    return {
      name: "quoteUsd",
      label: "Agreed price in USD",
      hint: "Only if the customer agreed to this price per term without an offer. The rest of this term is charged at once. Empty means free.",
    };
  }
  return undefined;
}
