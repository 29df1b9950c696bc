import { useState } from "react";
import { Button } from "#ui/button.tsx";
import { CopyButton } from "#ui/copy-button.tsx";
import { Dialog, DialogActions } from "#ui/dialog.tsx";
import { CheckBox } from "#ui/field.tsx";

interface Props {
  readonly title: string;
  readonly advice: string;
  /** The name of the secret within a sentence, such as "API key". */
  readonly what: string;
  readonly secret: string;
  readonly savedLabel: string;
  readonly onClose: () => void;
}

/** Shows a secret once. The dialog stays open until the user confirms having saved it. */
export function SecretDialog({ title, advice, what, secret, savedLabel, onClose }: Props) {
  const [isSaved, setIsSaved] = useState(false);
  return (
    <Dialog isOpen title={title} description={<p>{advice}</p>} canClose={isSaved} onClose={onClose}>
      <code
        aria-label={what.charAt(0).toUpperCase() + what.slice(1)}
        className="rounded-md border border-line bg-raised p-4 font-mono text-sm break-all select-all"
      >
        {secret}
      </code>
      <div>
        <CopyButton text={secret} what={what} />
      </div>
      <CheckBox label={savedLabel} isChecked={isSaved} onChange={setIsSaved} />
      <DialogActions>
        <Button variant="primary" disabled={!isSaved} onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}
