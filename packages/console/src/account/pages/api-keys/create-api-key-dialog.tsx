import type { Scope } from "@ironlease/client";
import { useState } from "react";
import { useChange } from "#data/use-change.ts";
import { Button } from "#ui/button.tsx";
import { ChoiceCards } from "#ui/choice-cards.tsx";
import { Dialog, DialogActions } from "#ui/dialog.tsx";
import { SelectField, TextField } from "#ui/field.tsx";
import { Form } from "#ui/form.tsx";
import { client } from "#account/data/client.ts";
import { reads } from "#account/data/reads.ts";
import { networksIn } from "#app/networks-in.ts";
import { SecretDialog } from "#app/secret-dialog.tsx";
import { scopeOrder, scopes } from "./scopes.ts";

const dayMs = 86_400_000;

const lifetimes = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "1 year" },
  { value: "", label: "Never" },
] as const;

type Lifetime = (typeof lifetimes)[number]["value"];

export function CreateApiKeyDialog({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState("");
  const [scope, setScope] = useState<Scope>("read");
  const [networks, setNetworks] = useState("");
  const [lifetime, setLifetime] = useState<Lifetime>("90");
  const create = useChange(client.createApiKey, [reads.apiKeys.queryKey]);
  if (create.data !== undefined) {
    return (
      <SecretDialog
        title={`API key ${create.data.name}`}
        advice="Copy it now. It is shown only once and cannot be recovered."
        what="API key"
        secret={create.data.key}
        savedLabel="I have saved this key"
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog isOpen title="Create API key" onClose={onClose}>
      <Form
        label="Create API key"
        error={create.error}
        onSubmit={() =>
          create.mutate({
            name: name.trim(),
            scope,
            expiresAt: lifetime === "" ? null : expiryAfter(Number(lifetime)),
            allowedNetworks: networksIn(networks),
          })
        }
      >
        <TextField
          name="name"
          label="Name"
          placeholder="Monitoring"
          value={name}
          onChange={setName}
          autoComplete="off"
        />
        <ChoiceCards<Scope>
          name="scope"
          label="Scope"
          value={scope}
          onChange={setScope}
          choices={scopeOrder.map((value) => ({ value, ...scopes[value] }))}
        />
        <SelectField<Lifetime>
          name="expiresAt"
          label="Expiration"
          value={lifetime}
          options={lifetimes}
          onChange={setLifetime}
        />
        <TextField
          name="allowedNetworks"
          label="Networks (optional)"
          hint="Addresses or ranges that may use the key, separated by commas. Leave empty to allow any."
          placeholder="203.0.113.0/24, 2001:db8::/32"
          value={networks}
          onChange={setNetworks}
          autoComplete="off"
          spellCheck={false}
          isMono
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="primary"
            isPending={create.isPending}
            disabled={name.trim() === ""}
          >
            Create API key
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

function expiryAfter(days: number): string {
  return new Date(Date.now() + days * dayMs).toISOString();
}
