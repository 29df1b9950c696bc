import { useQuery } from "@tanstack/react-query";
import { ChoiceCards } from "#ui/choice-cards.tsx";
import { TextArea } from "#ui/field.tsx";
import { Loaded, Skeleton } from "#ui/states.tsx";
import { reads } from "#account/data/reads.ts";
import { pasted } from "./order-choice.ts";

const none = "none";

/** A saved public key, a pasted one, or none. */
export function SshKeyChoice({
  value,
  pastedKey,
  onChange,
  onPaste,
}: {
  readonly value: string | undefined;
  readonly pastedKey: string;
  readonly onChange: (value: string | undefined) => void;
  readonly onPaste: (key: string) => void;
}) {
  const keys = useQuery(reads.sshKeys);
  return (
    <div className="flex flex-col gap-4">
      <Loaded query={keys} isPadded={false} loading={<Skeleton className="h-12 w-full" />}>
        {({ sshKeys }) => (
          <ChoiceCards
            name="ssh"
            label="SSH key"
            isLabelHidden
            columns={2}
            value={value ?? none}
            onChange={(chosen) => onChange(chosen === none ? undefined : chosen)}
            choices={[
              ...sshKeys.map(({ id, name, fingerprint }) => ({
                value: id,
                label: name,
                detail: <code className="font-mono text-xs break-all">{fingerprint}</code>,
              })),
              { value: pasted, label: "Paste a public key" },
              { value: none, label: "No key", detail: "Agree on access with the operator." },
            ]}
          />
        )}
      </Loaded>
      {value === pasted && (
        <TextArea
          name="sshPublicKey"
          label="Public key"
          hint="One line, from a file that ends in .pub. Never paste a private key."
          placeholder="ssh-ed25519 AAAA… you@example"
          value={pastedKey}
          onChange={onPaste}
        />
      )}
    </div>
  );
}
