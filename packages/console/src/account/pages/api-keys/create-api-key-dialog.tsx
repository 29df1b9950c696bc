import type { CreateApiKeyAnswer, Scope } from "@ironlease/client";
import { useState } from "react";
import { useChange } from "#data/use-change.ts";
import { Button } from "#ui/button.tsx";
import { ChoiceCards } from "#ui/choice-cards.tsx";
import { CopyButton } from "#ui/copy-button.tsx";
import { Dialog, DialogActions } from "#ui/dialog.tsx";
import { CheckBox, SelectField, TextField } from "#ui/field.tsx";
import { Form } from "#ui/form.tsx";
import { client } from "#account/data/client.ts";
import { reads } from "#account/data/reads.ts";
import { scopeOrder, scopes } from "./scopes.ts";

const dayMs = 86_400_000;

const lifetimes = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "A year" },
  { value: "", label: "Never" },
] as const;

type Lifetime = (typeof lifetimes)[number]["value"];

export function CreateApiKeyDialog({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState("");
  const [scope, setScope] = useState<Scope>("read");
  const [lifetime, setLifetime] = useState<Lifetime>("90");
  const create = useChange(client.createApiKey, [reads.apiKeys.queryKey]);
  if (create.data !== undefined) return <KeyOnce created={create.data} onClose={onClose} />;
  return (
    <Dialog isOpen title="Create an API key" onClose={onClose}>
      <Form
        label="Create an API key"
        error={create.error}
        onSubmit={() =>
          create.mutate({
            name: name.trim(),
            scope,
            expiresAt: lifetime === "" ? null : expiryAfter(Number(lifetime)),
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
          label="What it may read"
          value={scope}
          onChange={setScope}
          choices={scopeOrder.map((value) => ({ value, ...scopes[value] }))}
        />
        <SelectField<Lifetime>
          name="expiresAt"
          label="Expires after"
          value={lifetime}
          options={lifetimes}
          onChange={setLifetime}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            look="primary"
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

/** The value, this once: the dialog stays until it is said to be kept. */
function KeyOnce({
  created,
  onClose,
}: {
  readonly created: CreateApiKeyAnswer;
  readonly onClose: () => void;
}) {
  const [isKept, setIsKept] = useState(false);
  return (
    <Dialog
      isOpen
      title={`API key ${created.name}`}
      description={
        <p>This is the only time that it is shown. The service itself does not keep it.</p>
      }
      canClose={isKept}
      onClose={onClose}
    >
      <code
        aria-label="API key"
        className="rounded-md border border-line bg-raised p-4 font-mono text-sm break-all select-all"
      >
        {created.key}
      </code>
      <div>
        <CopyButton text={created.key} what="API key" />
      </div>
      <CheckBox label="I have kept this key." isChecked={isKept} onChange={setIsKept} />
      <DialogActions>
        <Button look="primary" disabled={!isKept} onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}
