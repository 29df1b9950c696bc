import type { ReadContactAnswer as Contact } from "@ironlease/client";
import { useState } from "react";
import { useChange } from "#data/use-change.ts";
import { Button } from "#ui/button.tsx";
import { useRetryDelay } from "#ui/error-notice.tsx";
import { TextField } from "#ui/field.tsx";
import { Form } from "#ui/form.tsx";
import { client } from "#account/data/client.ts";
import { reads } from "#account/data/reads.ts";

/** Asks for a new address, to which the service sends a code. */
export function AddressForm({ contact }: { readonly contact: Contact }) {
  const [email, setEmail] = useState("");
  const set = useChange(client.setContact, [reads.contact.queryKey]);
  const waitMs = useRetryDelay(set.error);
  return (
    <Form
      label="Set e-mail address"
      error={set.error}
      onSubmit={() => set.mutate({ email: email.trim() })}
    >
      <TextField
        name="email"
        type="email"
        label={contact.email === null ? "E-mail address" : "New e-mail address"}
        hint="We send a code to this address to confirm it."
        value={email}
        onChange={setEmail}
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <div>
        <Button
          type="submit"
          isPending={set.isPending}
          disabled={waitMs > 0 || email.trim() === ""}
        >
          Send code
        </Button>
      </div>
    </Form>
  );
}
