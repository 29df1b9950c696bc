import type { AnswerThreadRequest, ReadAnyThreadAnswer } from "@ironlease/client/operator";
import { useRef, useState } from "react";
import { useChange } from "#data/use-change.ts";
import { useIdempotentChange } from "#data/use-idempotent-change.ts";
import { Button } from "#ui/button.tsx";
import { SelectField, TextArea } from "#ui/field.tsx";
import { Form } from "#ui/form.tsx";
import { EmptyState } from "#ui/states.tsx";
import { UnansweredNotice } from "#ui/unanswered-notice.tsx";
import { client } from "#desk/data/client.ts";
import { keys } from "#desk/data/reads.ts";

type Thread = Pick<ReadAnyThreadAnswer, "id" | "sshKeys">;
type CustomerKey = Thread["sshKeys"][number];

const dayMs = 24 * 3_600_000;
/** As long as a plain message may be. */
const maxBytes = 8 * 1024;
const lifetimes = [
  { value: "1", label: "After 1 day" },
  { value: "7", label: "After 7 days" },
  { value: "30", label: "After 30 days" },
  { value: "", label: "Never" },
] as const;

/** Sends a secret that only the customer can read. */
export function SealForm({ thread: { id, sshKeys } }: { readonly thread: Thread }) {
  const usable = sshKeys.filter(({ sealable }) => sealable);
  const others = sshKeys.filter(({ sealable }) => !sealable);
  const [first] = usable;
  if (first !== undefined) return <KeyedSealForm threadId={id} sshKeys={usable} first={first} />;
  return (
    <EmptyState title="No usable SSH key">
      Ask the customer to save an SSH key of type ed25519 or RSA.
      {others.map(({ fingerprint, name, type }) => (
        <span key={fingerprint} className="block wrap-anywhere">
          {name}: age cannot encrypt to a key of type {type}.
        </span>
      ))}
    </EmptyState>
  );
}

function KeyedSealForm({
  threadId,
  sshKeys,
  first,
}: {
  readonly threadId: string;
  readonly sshKeys: readonly CustomerKey[];
  readonly first: CustomerKey;
}) {
  const [fingerprint, setFingerprint] = useState(first.fingerprint);
  // Never a draft: drafts are stored.
  const [text, setText] = useState("");
  const [days, setDays] = useState<string>("7");
  const { publicKey } = sshKeys.find((key) => key.fingerprint === fingerprint) ?? first;
  const send = useIdempotentChange(
    `sealed/${threadId}`,
    async (request: AnswerThreadRequest, options) => {
      const sent = await client.answerThread(request, options);
      setText("");
      return sent;
    },
    [keys.threads],
  );
  // Only the ciphertext reaches the request, which is stored until it is answered.
  const seal = useChange(async () => {
    const { sealText } = await import("@ironlease/age/seal");
    const expiry =
      days === "" ? {} : { expiresAt: new Date(Date.now() + Number(days) * dayMs).toISOString() };
    const ciphertext = await sealText(text, publicKey);
    send.mutate({ id: threadId, sealed: { ciphertext, fingerprint, ...expiry } });
  });
  // Each encryption gives another ciphertext, so a second click would send a second message.
  const isSealing = useRef(false);
  const submit = () => {
    if (isSealing.current) return;
    isSealing.current = true;
    seal.mutate(undefined, { onSettled: () => (isSealing.current = false) });
  };
  const { unanswered } = send;
  const isTooLong = new TextEncoder().encode(text).length > maxBytes;
  return (
    <Form
      label="Send encrypted"
      error={unanswered === undefined ? (seal.error ?? send.error) : null}
      onSubmit={submit}
    >
      {unanswered !== undefined && (
        <UnansweredNotice
          what="Your encrypted message"
          at={unanswered.at}
          isPending={send.isPending}
          onRetry={() => send.mutate(unanswered.request)}
          onDiscard={send.discard}
        />
      )}
      <SelectField
        name="sealed.fingerprint"
        label="Customer's SSH key"
        hint={<code className="font-mono text-xs break-all">{fingerprint}</code>}
        value={fingerprint}
        onChange={setFingerprint}
        options={sshKeys.map((key) => ({ value: key.fingerprint, label: labelOf(key) }))}
      />
      <TextArea
        name="sealed.ciphertext"
        label="Secret"
        hint="Encrypted in this browser. The service never receives the text, and you cannot read it again here."
        problem={isTooLong ? "must be at most 8 KiB" : undefined}
        rows={4}
        autoComplete="off"
        value={text}
        onChange={setText}
      />
      <SelectField
        name="sealed.expiresAt"
        label="Erase"
        value={days}
        onChange={setDays}
        options={lifetimes}
      />
      <div>
        <Button
          type="submit"
          variant="primary"
          isPending={seal.isPending || send.isPending}
          disabled={text.trim() === "" || isTooLong || unanswered !== undefined}
        >
          Encrypt and send
        </Button>
      </div>
    </Form>
  );
}

function labelOf({ name, serverId, type }: CustomerKey): string {
  return `${name} (${serverId === null ? "saved" : "server"}, ${type})`;
}
