import type { ReadContactAnswer as Contact } from "@ironlease/client";
import { useChange } from "#data/use-change.ts";
import { ErrorNotice } from "#ui/error-notice.tsx";
import { Switch } from "#ui/switch.tsx";
import { toast } from "#ui/toast.tsx";
import { client } from "#account/data/client.ts";
import { reads } from "#account/data/reads.ts";

type Kind = Contact["unsubscribed"][number];

const kinds: readonly { readonly kind: Kind; readonly label: string; readonly hint: string }[] = [
  { kind: "SERVERS", label: "Servers", hint: "A server is unpaid or was terminated." },
  { kind: "WITHDRAWALS", label: "Withdrawals", hint: "A withdrawal is paid or rejected." },
  { kind: "SIGN_INS", label: "Sign-ins", hint: "A sign-in from a network you have not used." },
  { kind: "MESSAGES", label: "Messages", hint: "The operators have written to you." },
];

/** Subscribes to kinds of mail, and unsubscribes from them. */
export function KindSwitches({
  email,
  unsubscribed,
}: {
  readonly email: string;
  readonly unsubscribed: readonly Kind[];
}) {
  const set = useChange(client.setContact, [reads.contact.queryKey], { untilRead: true });
  const shown = set.isPending ? (set.variables.unsubscribed ?? unsubscribed) : unsubscribed;
  const change = (kind: Kind, isOn: boolean) => {
    const others = unsubscribed.filter((other) => other !== kind);
    set.mutate(
      { email, unsubscribed: isOn ? others : [...others, kind] },
      { onSuccess: () => toast("E-mail settings saved") },
    );
  };
  return (
    <div role="group" aria-label="Kinds of e-mail" className="flex flex-col gap-4">
      {kinds.map(({ kind, label, hint }) => (
        <Switch
          key={kind}
          label={label}
          hint={hint}
          isOn={!shown.includes(kind)}
          isDisabled={set.isPending}
          onChange={(isOn) => change(kind, isOn)}
        />
      ))}
      {set.error !== null && <ErrorNotice error={set.error} />}
    </div>
  );
}
