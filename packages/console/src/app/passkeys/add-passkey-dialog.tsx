import { useState } from "react";
import { useChange } from "#data/use-change.ts";
import { Button } from "#ui/button.tsx";
import { Dialog, DialogActions } from "#ui/dialog.tsx";
import { TextField } from "#ui/field.tsx";
import { Form } from "#ui/form.tsx";
import { createPasskey } from "./browser.ts";
import type { PasskeySource } from "./passkey-source.ts";
import { isStaleSignIn, StaleSignIn } from "./stale-sign-in.tsx";

export function AddPasskeyDialog({
  source: { begin, finish, refreshes },
  onAdded,
  onClose,
}: {
  readonly source: Omit<PasskeySource, "passkeys">;
  readonly onAdded: () => void;
  readonly onClose: () => void;
}) {
  const [name, setName] = useState("");
  const add = useChange(async () => {
    const { options } = await begin();
    const credential = await createPasskey(options);
    if (credential === undefined) return false;
    await finish({ name: name.trim(), credential });
    return true;
  }, refreshes);
  const isStale = isStaleSignIn(add.error);
  return (
    <Dialog
      isOpen
      title="Add passkey"
      description={
        <p>
          Your browser asks for your fingerprint, face, PIN or security key. From then on it can
          sign you in without your password.
        </p>
      }
      onClose={onClose}
    >
      <Form
        label="Add passkey"
        error={isStale ? null : add.error}
        onSubmit={() =>
          add.mutate(undefined, { onSuccess: (isAdded) => (isAdded ? onAdded() : undefined) })
        }
      >
        {isStale && <StaleSignIn error={add.error} />}
        <TextField
          name="name"
          label="Name"
          hint="To recognize it later"
          placeholder="Work laptop"
          value={name}
          onChange={setName}
          maxLength={64}
          autoComplete="off"
          required
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="primary"
            isPending={add.isPending}
            disabled={name.trim() === ""}
          >
            Continue
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
