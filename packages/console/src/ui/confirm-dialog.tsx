import { useState, type ReactNode } from "react";
import { Button } from "./button.tsx";
import { Dialog, DialogActions } from "./dialog.tsx";
import { TextField } from "./field.tsx";
import { Form } from "./form.tsx";

/** Asks before something is done; where it cannot be undone, by having its name typed. */
export function ConfirmDialog({
  title,
  description,
  doIt,
  isOpen,
  isPending,
  isDangerous = false,
  isBlocked = false,
  typed,
  error,
  onConfirm,
  onClose,
  children,
}: {
  readonly title: string;
  readonly description: ReactNode;
  /** What the button says: a verb and its object. */
  readonly doIt: string;
  readonly isOpen: boolean;
  readonly isPending: boolean;
  readonly isDangerous?: boolean;
  /** Something in the dialog is still missing. */
  readonly isBlocked?: boolean;
  /** What has to be typed first, and what it is called. */
  readonly typed?: { readonly label: string; readonly text: string } | undefined;
  readonly error: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}) {
  const [text, setText] = useState("");
  const isTyped = typed === undefined || text.trim() === typed.text;
  const close = () => {
    setText("");
    onClose();
  };
  return (
    <Dialog title={title} description={description} isOpen={isOpen} onClose={close}>
      <Form
        label={title}
        error={error}
        onSubmit={() => {
          if (isTyped && !isBlocked) onConfirm();
        }}
      >
        {children}
        {typed !== undefined && (
          <TextField
            name="typed"
            label={
              <>
                Type the {typed.label} <code className="font-mono break-all">{typed.text}</code>
              </>
            }
            value={text}
            onChange={setText}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            isMono
          />
        )}
        <DialogActions>
          <Button onClick={close}>Cancel</Button>
          <Button
            type="submit"
            look={isDangerous ? "danger" : "primary"}
            isPending={isPending}
            disabled={!isTyped || isBlocked}
          >
            {doIt}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
