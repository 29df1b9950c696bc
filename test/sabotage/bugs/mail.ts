import type { PlantedBug } from "../planted-bug.ts";

const server = "packages/server/src";
const contact = `${server}/features/contact`;

/** E-mail addresses and the mails to them. */
export const mailBugs: readonly PlantedBug[] = [
  {
    name: "mail-to-an-unconfirmed-address",
    thought: "The customer has just entered the address, so it is the one they want.",
    file: `${server}/kernel/contacts.ts`,
    find: "  return isUnwanted ? undefined : contact.email;\n",
    replace: "  return isUnwanted ? undefined : (contact.pendingEmail ?? contact.email);\n",
    tests: [`${contact}/contact.test.ts`],
  },
  {
    name: "old-address-not-notified",
    thought: "The customer knows that they changed their address.",
    file: `${contact}/confirm-contact.ts`,
    find: "  if (email !== null && email !== pendingEmail) await queueMail(step, accountId, email, notice);\n",
    replace: "  void queueMail;\n",
    tests: [`${contact}/contact.test.ts`],
  },
  {
    name: "mail-sent-without-a-lease",
    thought: "The mail was waiting a moment ago.",
    file: `${server}/kernel/mails.ts`,
    find: '    .where("id", "=", id)\n    .where("state", "=", "WAITING")\n    .where("attempts", "=", attempts)\n',
    replace: '    .where("id", "=", id)\n',
    tests: [`${contact}/send-mails.test.ts`],
  },
  {
    name: "unsubscribed-mail-sent",
    thought: "The customer wanted the mail when it was queued.",
    file: `${contact}/send-mails.ts`,
    find: "  return addressFor(contact, kind) === recipient;\n",
    replace: "  return contact?.email === recipient;\n",
    tests: [`${contact}/contact.test.ts`],
  },
];
