import { useEffect, useRef, useState, type ReactNode } from "react";
import type { QueryKey } from "@tanstack/react-query";
import { useChange } from "#data/use-change.ts";
import { Button, IconButton } from "./button.tsx";
import { TextField } from "./field.tsx";
import { Form } from "./form.tsx";
import { Pencil } from "./icons.ts";
import { toast } from "./toast.tsx";

interface Editing {
  readonly value: string;
  /** The API's field name. */
  readonly field: string;
  /** What is edited, such as "label of web1". */
  readonly what: string;
  readonly placeholder: string;
  readonly maxLength?: number;
  /** Identifiers are neither capitalized nor spell-checked. */
  readonly isIdentifier?: boolean;
  /** Shown beside the value. */
  readonly state?: ReactNode;
  readonly send: (value: string) => Promise<unknown>;
  readonly refreshes: readonly QueryKey[];
}

/** Edits a text in place. */
export function InlineEditor(editing: Editing) {
  const { value, what, state } = editing;
  const [isOpen, setIsOpen] = useState(false);
  const editButton = useRef<HTMLButtonElement>(null);
  if (isOpen) {
    return (
      <InlineForm
        editing={editing}
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
      <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        <span className={value === "" ? "text-quiet" : "wrap-anywhere"}>
          {value === "" ? "Not set" : value}
        </span>
        {state}
      </span>
      <IconButton
        ref={editButton}
        label={`Edit ${what}`}
        icon={<Pencil aria-hidden className="size-4" />}
        onClick={() => setIsOpen(true)}
      />
    </span>
  );
}

/** An empty text clears the value. Escape cancels. */
function InlineForm({
  editing: { value, field, what, placeholder, maxLength, isIdentifier = false, send, refreshes },
  onClose,
}: {
  readonly editing: Editing;
  readonly onClose: () => void;
}) {
  const [text, setText] = useState(value);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const change = useChange(send, refreshes);
  const label = `${what.charAt(0).toUpperCase()}${what.slice(1)}`;
  return (
    <Form
      label={label}
      className="gap-2"
      isCompact
      error={change.error}
      onSubmit={() =>
        change.mutate(text.trim(), {
          onSuccess: () => {
            onClose();
            toast("Saved");
          },
        })
      }
    >
      <TextField
        ref={input}
        name={field}
        label={<span className="sr-only">{label}</span>}
        placeholder={placeholder}
        value={text}
        onChange={setText}
        onKeyDown={(event) => {
          if (event.key === "Escape") onClose();
        }}
        maxLength={maxLength}
        autoComplete="off"
        {...(isIdentifier && { autoCapitalize: "none", spellCheck: false })}
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
