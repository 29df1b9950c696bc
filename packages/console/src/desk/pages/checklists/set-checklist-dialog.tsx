import type { Checklist } from "@ironlease/client/operator";
import { useState } from "react";
import { useChange } from "#data/use-change.ts";
import { Button } from "#ui/button.tsx";
import { Dialog, DialogActions } from "#ui/dialog.tsx";
import { TextArea } from "#ui/field.tsx";
import { Form } from "#ui/form.tsx";
import { toast } from "#ui/toast.tsx";
import { client } from "#desk/data/client.ts";
import { keys } from "#desk/data/reads.ts";

/** Edits a checklist as text, one step per line. */
export function SetChecklistDialog({
  checklist: { kind, lines },
  name,
  onClose,
}: {
  readonly checklist: Checklist;
  readonly name: string;
  readonly onClose: () => void;
}) {
  const [text, setText] = useState(lines.join("\n"));
  const save = useChange(client.setChecklist, [keys.checklists, keys.work]);
  const title = `Checklist: ${name}`;
  return (
    <Dialog isOpen title={title} onClose={onClose}>
      <Form
        label={title}
        error={save.error}
        onSubmit={() =>
          save.mutate(
            { kind, lines: linesIn(text) },
            {
              onSuccess: () => {
                toast("Checklist saved");
                onClose();
              },
            },
          )
        }
      >
        <TextArea
          name="lines"
          label="Steps"
          hint="One per line, up to 30 steps of 200 characters"
          isProse
          rows={10}
          value={text}
          onChange={setText}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={save.isPending}>
            Save checklist
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

function linesIn(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
