import { useEffect, useRef, useState } from "react";
import { Button } from "#ui/button.tsx";
import { Dialog, DialogActions } from "#ui/dialog.tsx";
import { TextField } from "#ui/field.tsx";
import { Form } from "#ui/form.tsx";
import {
  fieldText,
  isKey,
  nameOfItem,
  readField,
  type Item,
  type ItemField,
  type Section,
} from "./sections.ts";

const inputModes = { id: "text", text: "text", whole: "numeric", percent: "decimal" } as const;

type Typed = Readonly<Record<string, string>>;

/** Adds an item to the catalogue, or edits one. The change is saved with the rest of the catalogue. */
export function ItemDialog({
  section: { fields, noun, blank },
  item,
  taken,
  problemOf,
  onApply,
  onClose,
}: {
  readonly section: Section;
  /** Undefined: a new one. */
  readonly item: Item | undefined;
  /** The names of the other items. */
  readonly taken: readonly string[];
  /** What the server refused about a field. */
  readonly problemOf: (field: string) => string | undefined;
  readonly onApply: (item: Item) => void;
  readonly onClose: () => void;
}) {
  const initial = typedOf(fields, item);
  const [typed, setTyped] = useState(initial);
  const [isChecked, setIsChecked] = useState(false);
  const problems = checkTyped(fields, typed, taken);
  const shown = (name: string) =>
    (isChecked ? problems[name] : undefined) ??
    (typed[name] === initial[name] ? problemOf(name) : undefined);
  const firstShown = fields.find(({ name }) => problemOf(name) !== undefined)?.name;
  const refused = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Dialogs move the focus when they open and close, so move it afterwards.
    const timer = setTimeout(() => refused.current?.focus(), 50);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Dialog
      isOpen
      title={item === undefined ? `Add ${noun}` : `Edit ${noun} ${nameOfItem(item)}`}
      description={<p>Nothing changes for customers until you save the catalogue.</p>}
      onClose={onClose}
    >
      <Form
        label={noun}
        error={null}
        onSubmit={() => {
          setIsChecked(true);
          if (Object.keys(problems).length === 0) onApply(itemOf(fields, typed, item ?? blank));
        }}
      >
        {fields.map(({ name, label, hint, kind }) => (
          <TextField
            key={name}
            name={name}
            label={label}
            {...(hint !== undefined && !(kind === "id" && item !== undefined) ? { hint } : {})}
            isMono={kind === "id"}
            disabled={kind === "id" && item !== undefined}
            ref={name === firstShown ? refused : undefined}
            inputMode={inputModes[kind]}
            autoComplete="off"
            value={typed[name] ?? ""}
            problem={shown(name)}
            onChange={(value) => setTyped({ ...typed, [name]: value })}
          />
        ))}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary">
            {item === undefined ? `Add ${noun}` : "Apply"}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

function typedOf(fields: readonly ItemField[], item: Item | undefined): Typed {
  return Object.fromEntries(fields.map(({ name }) => [name, fieldText(item, name)]));
}

function checkTyped(
  fields: readonly ItemField[],
  typed: Typed,
  taken: readonly string[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const text = typed[field.name] ?? "";
      const read = readField(field, text);
      if ("problem" in read) return [[field.name, read.problem]];
      return isKey(field) && taken.includes(text.trim())
        ? [[field.name, "Already used. Choose another."]]
        : [];
    }),
  );
}

/** Fields that have no form keep their values. */
function itemOf(fields: readonly ItemField[], typed: Typed, item: Item | undefined): Item {
  const values = fields.map((field): [string, unknown] => {
    const read = readField(field, typed[field.name] ?? "");
    return [field.name, "value" in read ? read.value : undefined];
  });
  return { ...item, ...Object.fromEntries<unknown>(values) };
}
