import type { ReadContactAnswer } from "@ironlease/client";
import { useState } from "react";
import { useChange } from "#data/use-change.ts";
import { Button } from "#ui/button.tsx";
import { ErrorNotice, useRetryDelay } from "#ui/error-notice.tsx";
import { TextField } from "#ui/field.tsx";
import { Form } from "#ui/form.tsx";
import { toast } from "#ui/toast.tsx";
import { client } from "#account/data/client.ts";
import { reads } from "#account/data/reads.ts";

/** Takes the code from the mail. */
export function CodeForm({
  pending,
  confirmed,
}: {
  readonly pending: NonNullable<ReadContactAnswer["pending"]>;
  /** The address that stays when the user cancels. */
  readonly confirmed: string | null;
}) {
  const [code, setCode] = useState("");
  const refreshes = [reads.contact.queryKey];
  const confirm = useChange(client.confirmContact, refreshes);
  const resend = useChange(client.setContact, refreshes);
  const cancel = useChange(
    () => (confirmed === null ? client.removeContact() : client.setContact({ email: confirmed })),
    refreshes,
  );
  const waitMs = useRetryDelay(confirm.error);
  const failure = resend.error ?? cancel.error;
  return (
    <Form
      label="Confirm e-mail address"
      error={confirm.error}
      onSubmit={() =>
        confirm.mutate({ code: code.trim() }, { onSuccess: () => toast("E-mail address saved") })
      }
    >
      <TextField
        name="code"
        label={`Code sent to ${pending.email}`}
        hint={
          resend.isSuccess
            ? "Sent again. Use the code in the latest e-mail."
            : "It is valid for one hour."
        }
        value={code}
        onChange={setCode}
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        isMono
        required
      />
      {failure !== null && <ErrorNotice error={failure} />}
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          variant="primary"
          isPending={confirm.isPending}
          disabled={waitMs > 0 || code.trim() === ""}
        >
          Confirm
        </Button>
        <Button
          isPending={resend.isPending}
          onClick={() => resend.mutate({ email: pending.email })}
        >
          Send again
        </Button>
        <Button isPending={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel
        </Button>
      </div>
    </Form>
  );
}
