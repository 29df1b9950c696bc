import { useState, type ReactNode } from "react";
import { Button } from "./button.tsx";
import { Dialog, DialogActions } from "./dialog.tsx";
import { TextField } from "./field.tsx";
import { Form } from "./form.tsx";

/** Asks for confirmation. `typed` makes the user type a name first, for actions that cannot be undone. */
export function ConfirmDialog({
  title,
  description,
  confirmLabel,
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
  /** The button text: a verb and its object. */
  readonly confirmLabel: string;
  readonly isOpen: boolean;
  readonly isPending: boolean;
  readonly isDangerous?: boolean;
  /** A field in the dialog is still incomplete. */
  readonly isBlocked?: boolean;
  /** The text to type, and what to call it. */
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
                Type the {typed.label} <code className="font-mono break-all">{typed.text}</code> to
                confirm
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
            variant={isDangerous ? "danger" : "primary"}
            isPending={isPending}
            disabled={!isTyped || isBlocked}
          >
            {confirmLabel}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
