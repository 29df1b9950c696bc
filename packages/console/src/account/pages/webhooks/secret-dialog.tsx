import { useState } from "react";
import { Button } from "#ui/button.tsx";
import { CopyButton } from "#ui/copy-button.tsx";
import { Dialog, DialogActions } from "#ui/dialog.tsx";
import { CheckBox } from "#ui/field.tsx";

/** Shows the secret once. The dialog stays open until the user confirms having saved it. */
export function SecretDialog({
  title,
  secret,
  onClose,
}: {
  readonly title: string;
  readonly secret: string;
  readonly onClose: () => void;
}) {
  const [isSaved, setIsSaved] = useState(false);
  return (
    <Dialog
      isOpen
      title={title}
      description={
        <p>
          Your receiver verifies signatures with this secret. It is shown only once: copy it now.
        </p>
      }
      canClose={isSaved}
      onClose={onClose}
    >
      <code
        aria-label="Secret"
        className="rounded-md border border-line bg-raised p-4 font-mono text-sm break-all select-all"
      >
        {secret}
      </code>
      <div>
        <CopyButton text={secret} what="Secret" />
      </div>
      <CheckBox label="I have saved this secret" isChecked={isSaved} onChange={setIsSaved} />
      <DialogActions>
        <Button variant="primary" disabled={!isSaved} onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}
