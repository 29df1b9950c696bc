import type { Assignment } from "@ironlease/client";
import { useEffect, useRef, useState } from "react";
import { useChange } from "#data/use-change.ts";
import { Button, IconButton } from "#ui/button.tsx";
import { TextField } from "#ui/field.tsx";
import { Form } from "#ui/form.tsx";
import { Pencil } from "#ui/icons.ts";
import { client } from "#account/data/client.ts";
import { reads } from "#account/data/reads.ts";

/** Edits the reverse DNS name of an address in place. */
export function PtrEditor({ assignment }: { readonly assignment: Assignment }) {
  const { address, ptr } = assignment;
  const [isOpen, setIsOpen] = useState(false);
  const editButton = useRef<HTMLButtonElement>(null);
  if (isOpen) {
    return (
      <PtrForm
        assignment={assignment}
        onClose={() => {
          setIsOpen(false);
          // The form is gone, so return the focus to the button.
          setTimeout(() => editButton.current?.focus());
        }}
      />
    );
  }
  return (
    <span className="flex items-center gap-1">
      <span className={ptr === "" ? "text-quiet" : "break-all"}>
        {ptr === "" ? "Not set" : ptr}
      </span>
      <IconButton
        ref={editButton}
        label={`Edit reverse DNS name of ${address}`}
        icon={<Pencil aria-hidden className="size-4" />}
        onClick={() => setIsOpen(true)}
      />
    </span>
  );
}

/** An empty name clears the record. Escape cancels. */
function PtrForm({
  assignment,
  onClose,
}: {
  readonly assignment: Assignment;
  readonly onClose: () => void;
}) {
  const { id, address, ptr } = assignment;
  const [text, setText] = useState(ptr);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const change = useChange(client.setReverseDns, [reads.network.queryKey, reads.servers.queryKey]);
  return (
    <Form
      label={`Reverse DNS name of ${address}`}
      className="gap-2"
      isCompact
      error={change.error}
      onSubmit={() => change.mutate({ id, ptr: text.trim() }, { onSuccess: onClose })}
    >
      <TextField
        ref={input}
        name="ptr"
        label={<span className="sr-only">Reverse DNS name of {address}</span>}
        placeholder="host.example.com (empty to clear)"
        value={text}
        onChange={setText}
        onKeyDown={(event) => {
          if (event.key === "Escape") onClose();
        }}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <div className="flex gap-2">
        <Button type="submit" size="small" variant="primary" isPending={change.isPending}>
          Save
        </Button>
        <Button size="small" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Form>
  );
}
