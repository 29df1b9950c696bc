import type { CompleteWorkRequest, WorkItem } from "@ironlease/client/operator";
import { useEffect, useRef, useState } from "react";
import { useDraft } from "#data/use-draft.ts";
import { Button } from "#ui/button.tsx";
import { TextArea, TextField } from "#ui/field.tsx";
import { Form } from "#ui/form.tsx";
import { client } from "#desk/data/client.ts";
import { counts, paidWith } from "./approvals.tsx";
import { textOf } from "./detail.ts";
import { kinds } from "#desk/shared/work-kinds.tsx";
import { useWorkStep } from "./use-work-step.ts";

/** What is said when the work is done; which fields there are is the kind's matter. */
export function CompleteForm({ item }: { readonly item: WorkItem }) {
  const { id, kind } = item;
  const field = fieldOf(item);
  const [value, setValue] = useState(kind === "WITHDRAWAL" ? (paidWith(item) ?? "") : "");
  const [note, setNote] = useDraft(`work-note/${id}`);
  const complete = useWorkStep((request: CompleteWorkRequest) => client.completeWork(request));
  const first = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // Whoever has just claimed it goes on here without reaching for the mouse.
    (first.current ?? button.current)?.focus();
  }, []);
  return (
    <Form
      label={kinds[kind].complete}
      error={complete.error}
      onSubmit={() => {
        const request = {
          id,
          ...(field === undefined || value.trim() === "" ? {} : { [field.name]: value.trim() }),
          ...(note.trim() === "" ? {} : { note: note.trim() }),
        };
        complete.mutate(request, { onSuccess: () => setNote("") });
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
        hint="Evidence: what was done, seen or agreed. Operators read it; the customer does not."
        rows={3}
        value={note}
        onChange={setNote}
      />
      <div>
        <Button ref={button} type="submit" look="primary" isPending={complete.isPending}>
          {kinds[kind].complete}
        </Button>
      </div>
    </Form>
  );
}

interface OwnField {
  readonly name: "hostname" | "transactionId" | "quoteUsd";
  readonly label: string;
  readonly hint: string;
}

function fieldOf({ kind, detail, approvals }: WorkItem): OwnField | undefined {
  if (kind === "PROVISION") {
    return {
      name: "hostname",
      label: "Host name",
      hint: "What the machine calls itself. Left empty, the service makes one.",
    };
  }
  if (kind === "WITHDRAWAL") {
    return {
      name: "transactionId",
      label: "Transaction",
      hint:
        approvals.filter(counts).length === 0
          ? "What paid it. Leave it empty for the first of two approvals: nothing is paid before both."
          : "What paid it.",
    };
  }
  if (kind === "DDOS" && textOf(detail, "mode") === "ADVANCED") {
    return {
      name: "quoteUsd",
      label: "Quote in USD",
      hint: "What the customer has agreed to pay per term. Completing it records that they did.",
    };
  }
  return undefined;
}
