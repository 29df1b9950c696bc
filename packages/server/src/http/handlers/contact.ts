import { confirmContact } from "#features/contact/confirm-contact.ts";
import { readContact, type ContactRecord } from "#features/contact/contact-record.ts";
import { removeContact } from "#features/contact/remove-contact.ts";
import { setContact } from "#features/contact/set-contact.ts";
import type { Core } from "#kernel/core.ts";
import { isoTime, isoTimeOrNull } from "#kernel/iso-time.ts";
import { ok } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";

type Contact = "readContact" | "setContact" | "confirmContact" | "removeContact";

export function contactHandlers(core: Core): Handlers<Contact> {
  return {
    readContact: async ({ account }) => {
      const contact = await readContact(core, account.accountId);
      return ok({ status: 200, body: contactOnWire(contact, core) });
    },
    setContact: async ({ core, caller, body }) => {
      const result = await setContact(core, caller, body);
      return result.ok ? ok({ status: 200, body: contactOnWire(result.value, core) }) : result;
    },
    confirmContact: async ({ core, caller, body }) => {
      const result = await confirmContact(core, caller, body.code);
      return result.ok ? ok({ status: 200, body: contactOnWire(result.value, core) }) : result;
    },
    removeContact: async ({ core, caller }) => {
      const result = await removeContact(core, caller);
      return result.ok ? ok({ status: 204, body: null }) : result;
    },
  };
}

export function contactOnWire(contact: ContactRecord, { mail }: Core) {
  const { email, confirmedAt, refusedAt, pending, unsubscribed } = contact;
  return {
    offered: mail !== undefined,
    email,
    confirmedAt: isoTimeOrNull(confirmedAt),
    refusedAt: isoTimeOrNull(refusedAt),
    pending: pending && { ...pending, expiresAt: isoTime(pending.expiresAt) },
    unsubscribed: [...unsubscribed],
  };
}
