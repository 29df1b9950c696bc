import { useQuery } from "@tanstack/react-query";
import { ChoiceCards } from "#ui/choice-cards.tsx";
import { TextArea } from "#ui/field.tsx";
import { Notice } from "#ui/notice.tsx";
import { Loaded, Skeleton } from "#ui/states.tsx";
import { reads } from "#account/data/reads.ts";
import { noKey, pasted, sshChoice } from "./order-choice.ts";

/** A saved public key, a pasted one, or none. */
export function SshKeyChoice({
  value,
  pastedKey,
  onChange,
  onPaste,
}: {
  readonly value: string | undefined;
  readonly pastedKey: string;
  readonly onChange: (value: string) => void;
  readonly onPaste: (key: string) => void;
}) {
  const keys = useQuery(reads.sshKeys);
  return (
    <Loaded query={keys} isPadded={false} loading={<Skeleton className="h-12 w-full" />}>
      {({ sshKeys }) => {
        const chosen = sshChoice(value, sshKeys);
        return (
          <div className="flex flex-col gap-4">
            <ChoiceCards
              name="ssh"
              label="SSH key"
              isLabelHidden
              columns={2}
              value={chosen}
              onChange={onChange}
              choices={[
                ...sshKeys.map(({ id, name, fingerprint }) => ({
                  value: id,
                  label: <span className="wrap-anywhere">{name}</span>,
                  detail: <code className="font-mono text-xs break-all">{fingerprint}</code>,
                })),
                { value: pasted, label: "Paste a public key" },
                { value: noKey, label: "No key" },
              ]}
            />
            {chosen === pasted && (
              <TextArea
                name="sshPublicKey"
                label="Public key"
                hint="One line, from a file that ends in .pub. Never paste a private key."
                placeholder="ssh-ed25519 AAAA… you@example"
                value={pastedKey}
                onChange={onPaste}
              />
            )}
            {hasNoKey(chosen, pastedKey) && <NoKeyNotice />}
          </div>
        );
      }}
    </Loaded>
  );
}

export function hasNoKey(chosen: string, pastedKey: string): boolean {
  return chosen === noKey || (chosen === pasted && pastedKey.trim() === "");
}

export function NoKeyNotice() {
  return (
    <Notice tone="warn" title="No SSH key">
      <p>
        You cannot sign in with a key after delivery. Agree on another way in with the operators
        first.
      </p>
    </Notice>
  );
}
