import type { ReadContactAnswer as Contact } from "@ironlease/client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useChange } from "#data/use-change.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/button.tsx";
import { ConfirmDialog } from "#ui/confirm-dialog.tsx";
import { Notice } from "#ui/notice.tsx";
import { Panel } from "#ui/panel.tsx";
import { Loaded } from "#ui/states.tsx";
import { toast } from "#ui/toast.tsx";
import { client } from "#account/data/client.ts";
import { reads } from "#account/data/reads.ts";
import { AddressForm } from "./address-form.tsx";
import { CodeForm } from "./code-form.tsx";
import { KindSwitches } from "./kind-switches.tsx";

/** The e-mail address of the account. Hidden when the service sends no e-mail. */
export function ContactPanel() {
  const contact = useQuery(reads.contact);
  if (contact.isPending || contact.data?.offered === false) return null;
  return (
    <Panel
      title="E-mail"
      description="Get e-mails about your account. They never contain the text of a message. You cannot turn off e-mails about security."
    >
      <Loaded query={contact}>
        {(loaded) => (
          <div className="flex max-w-md flex-col gap-6">
            {loaded.email !== null && <CurrentAddress email={loaded.email} contact={loaded} />}
            {loaded.email !== null && loaded.pending === null && loaded.refusedAt === null && (
              <KindSwitches email={loaded.email} unsubscribed={loaded.unsubscribed} />
            )}
            {loaded.pending === null ? (
              <AddressForm contact={loaded} />
            ) : (
              <CodeForm pending={loaded.pending} confirmed={loaded.email} />
            )}
          </div>
        )}
      </Loaded>
    </Panel>
  );
}

function CurrentAddress({ email, contact }: { readonly email: string; readonly contact: Contact }) {
  const [isRemoving, setIsRemoving] = useState(false);
  const remove = useChange(client.removeContact, [reads.contact.queryKey]);
  const close = () => {
    setIsRemoving(false);
    remove.reset();
  };
  const isRefused = contact.refusedAt !== null;
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="flex min-w-0 flex-wrap items-center gap-2 text-sm font-medium">
          <span className="break-all">{email}</span>
          {isRefused ? (
            <Badge tone="bad">Undeliverable</Badge>
          ) : (
            <Badge tone="good">Confirmed</Badge>
          )}
        </p>
        <Button size="small" onClick={() => setIsRemoving(true)}>
          Remove<span className="sr-only"> {email}</span>
        </Button>
      </div>
      {isRefused && (
        <Notice tone="warn" title="The mail server refused this address">
          <p>
            The service no longer sends e-mails to it. Enter a new address, or confirm this one
            again.
          </p>
        </Notice>
      )}
      <ConfirmDialog
        isOpen={isRemoving}
        title="Remove this address?"
        description={<p>You get one last e-mail, which confirms the removal.</p>}
        confirmLabel="Remove address"
        isDangerous
        isPending={remove.isPending}
        error={remove.error}
        onConfirm={() =>
          remove.mutate(undefined, {
            onSuccess: () => {
              close();
              toast("E-mail address removed");
            },
          })
        }
        onClose={close}
      />
    </div>
  );
}
