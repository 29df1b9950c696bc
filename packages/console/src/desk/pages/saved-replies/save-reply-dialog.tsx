import type { SavedReply } from "@ironlease/client/operator";
import { useState } from "react";
import { useChange } from "#data/use-change.ts";
import { Button } from "#ui/button.tsx";
import { Dialog, DialogActions } from "#ui/dialog.tsx";
import { TextArea, TextField } from "#ui/field.tsx";
import { Form } from "#ui/form.tsx";
import { toast } from "#ui/toast.tsx";
import { client } from "#desk/data/client.ts";
import { keys } from "#desk/data/reads.ts";

/** Adds a reply, or changes the given one. */
export function SaveReplyDialog({
  reply,
  onClose,
}: {
  readonly reply: SavedReply | undefined;
  readonly onClose: () => void;
}) {
  const [name, setName] = useState(reply?.name ?? "");
  const [text, setText] = useState(reply?.text ?? "");
  const save = useChange(
    (words: Pick<SavedReply, "name" | "text">) =>
      reply === undefined
        ? client.addSavedReply(words)
        : client.changeSavedReply({ id: reply.id, ...words }),
    [keys.savedReplies],
  );
  const title = reply === undefined ? "Add reply" : "Edit reply";
  return (
    <Dialog isOpen title={title} onClose={onClose}>
      <Form
        label={title}
        error={save.error}
        onSubmit={() =>
          save.mutate(
            { name: name.trim(), text },
            {
              onSuccess: () => {
                toast("Reply saved");
                onClose();
              },
            },
          )
        }
      >
        <TextField
          name="name"
          label="Name"
          hint="On the button beside the message"
          value={name}
          onChange={setName}
          maxLength={64}
          autoComplete="off"
        />
        <TextArea name="text" label="Text" isProse rows={6} value={text} onChange={setText} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="primary"
            isPending={save.isPending}
            disabled={name.trim() === "" || text.trim() === ""}
          >
            Save reply
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
