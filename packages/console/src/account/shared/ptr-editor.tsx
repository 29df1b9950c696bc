import type { Assignment } from "@ironlease/client";
import { useEffect, useRef, useState } from "react";
import { useChange } from "#data/use-change.ts";
import { Button, IconButton } from "#ui/button.tsx";
import { TextField } from "#ui/field.tsx";
import { Form } from "#ui/form.tsx";
import { Pencil } from "#ui/icons.ts";
import { client } from "#account/data/client.ts";
import { reads } from "#account/data/reads.ts";

/** The reverse DNS name of an address, to be changed where it stands. */
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
          // The button comes back in place of the form, and with it the focus.
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
        label={`Edit the reverse DNS name of ${address}`}
        icon={<Pencil aria-hidden className="size-4" />}
        onClick={() => setIsOpen(true)}
      />
    </span>
  );
}

/** Empty clears the name; Escape leaves it as it was. */
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
        placeholder="host.example.com, or empty for none"
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
        <Button type="submit" size="small" look="primary" isPending={change.isPending}>
          Save
        </Button>
        <Button size="small" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Form>
  );
}
