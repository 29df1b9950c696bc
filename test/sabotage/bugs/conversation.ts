import type { PlantedBug } from "../planted-bug.ts";

const server = "packages/server/src";
const threads = `${server}/features/threads`;

/** Outcomes, and the threads between customers and operators. */
export const conversationBugs: readonly PlantedBug[] = [
  {
    name: "payout-hidden-from-the-ledger",
    thought: "A payout does not change the balance, so it is no news for the customer.",
    file: `${server}/features/ledger/read-ledger.ts`,
    find: '.where((eb) => eb.or([eb("change_cents", "<>", 0), eb("type", "=", "WITHDRAWAL_PAYOUT")]))',
    replace: '.where("change_cents", "<>", 0)',
    tests: [`${server}/http/handlers/ledger.test.ts`],
  },
  {
    name: "outcome-not-reported",
    thought: "The customer sees the new state of the server.",
    file: `${server}/features/work/complete-work.ts`,
    find: "  await tellCustomer(job, applied.value, note);\n",
    replace: "  void tellCustomer;\n",
    tests: [`${server}/features/work/outcome-messages.test.ts`],
  },
  {
    name: "outcome-after-the-transaction",
    thought: "A message that cannot be stored must not stop an operator.",
    file: `${server}/features/work/tell-customer.ts`,
    find: "  await tellOutcome(job, { accountId, serverId, operatorId, report, note });\n",
    replace:
      "  void job.core.db\n    .write(async (tx) => {\n      await tellOutcome({ ...job, tx }, { accountId, serverId, operatorId, report, note });\n      return { ok: true, value: undefined } as const;\n    })\n    .catch(() => undefined);\n",
    tests: [`${server}/features/work/outcome-messages.test.ts`],
  },
  {
    name: "thread-read-without-the-account",
    thought: "Thread ids are unguessable.",
    file: `${threads}/read-thread.ts`,
    find: '    .where("threads.id", "=", threadId)\n    .where("threads.account_id", "=", accountId)\n',
    replace: '    .where("threads.id", "=", threadId)\n',
    tests: [`${threads}/threads.test.ts`],
  },
  {
    name: "thread-closed-without-the-account",
    thought: "Closing a thread harms no one: a message opens it again.",
    file: `${server}/kernel/threads.ts`,
    find: '    .set({ state: "CLOSED" })\n    .where("id", "=", threadId)\n    .where("account_id", "=", accountId)\n',
    replace: '    .set({ state: "CLOSED" })\n    .where("id", "=", threadId)\n',
    tests: [`${threads}/threads.test.ts`],
  },
  {
    name: "message-length-in-characters",
    thought: "The schema has already limited the length.",
    file: `${threads}/message-text.ts`,
    find: "const bytes = Buffer.byteLength(text);",
    replace: "const bytes = text.length;",
    tests: [`${threads}/threads.test.ts`],
  },
  {
    name: "open-threads-counted-without-a-lock",
    thought: "The count and the insert are in one transaction.",
    file: `${threads}/open-thread.ts`,
    find: "    await lockAccount(tx, call.accountId);\n",
    replace: "    void lockAccount;\n",
    tests: [`${threads}/threads.test.ts`],
  },
  {
    name: "opening-a-thread-is-no-message",
    thought: "The limit on open threads already covers new threads.",
    file: `${threads}/open-thread.ts`,
    find: "  const taken = await takeMessage(step);\n",
    replace: "  const taken = ok();\n  void takeMessage;\n",
    tests: [`${threads}/threads.test.ts`],
  },
  {
    name: "sealed-to-any-customer",
    thought: "Operators choose the key from the customer's list.",
    file: `${threads}/customer-keys.ts`,
    find: '    .select(["name", "public_key as publicKey"])\n    .where("account_id", "=", accountId)\n',
    replace: '    .select(["name", "public_key as publicKey"])\n',
    tests: [`${threads}/sealed-message.test.ts`],
  },
  {
    name: "second-recipient-accepted",
    thought: "The customer's key is among the recipients, so the customer can read it.",
    file: `${threads}/sealed-message.ts`,
    find: "if (recipient === undefined || others.length > 0) {",
    replace: "if (recipient === undefined || others.length > 99) {",
    tests: [`${threads}/sealed-message.test.ts`],
  },
  {
    name: "sealed-to-another-key",
    thought: "The fingerprint in the request says which key it is.",
    file: `${threads}/sealed-message.ts`,
    find: "words[0] === tagOf(fingerprint) && fits",
    replace: "tagOf(fingerprint) !== type && fits",
    tests: [`${threads}/sealed-message.test.ts`],
  },
  {
    name: "expired-text-shown-until-the-sweep",
    thought: "The sweep runs every minute.",
    file: `${server}/kernel/sealed-texts.ts`,
    find: "const isExpired = expiresAt !== null && expiresAt <= now;",
    replace: "const isExpired = expiresAt !== null && expiresAt <= now && ciphertext === null;",
    tests: [`${threads}/sealed-message.test.ts`],
  },
  {
    name: "key-keeps-the-ciphertext",
    thought: "The stored answer should be the whole answer.",
    file: `${threads}/answer-thread.ts`,
    find: "      return ok({ status: 201, body });\n",
    replace:
      "      return ok({ status: 201, body: envelope === undefined ? body : { ...body, sealed: envelope } });\n",
    tests: [`${threads}/sealed-message.test.ts`],
  },
  {
    name: "expired-text-never-erased",
    thought: "Readers do not see it any more.",
    file: `${server}/features/housekeeping/sweep.ts`,
    find: "sealedTexts: await eraseSealedTexts(tx, now, batch),",
    replace: "sealedTexts: await eraseSealedTexts(tx, 0, batch),",
    tests: [`${server}/features/housekeeping/sweep.test.ts`],
  },
  {
    name: "cancelled-under-the-operator",
    thought: "The server is not delivered yet, so the customer may still cancel.",
    file: `${server}/kernel/work-queue/cancelled-work.ts`,
    find: "(state = 'OPEN' or (state = 'CLAIMED' and lease_until <= ${scope.core.clock.now()}))",
    replace: "state in ('OPEN', 'CLAIMED')",
    tests: [`${server}/features/servers/cancel-server.test.ts`],
  },
  {
    name: "cancel-ignores-the-claim",
    thought: "Withdrawing the work item only tidies up the queue.",
    file: `${server}/features/servers/cancel-server.ts`,
    find: "  if (!(await withdrawProvisionWork(step, { accountId, serverId }))) {",
    replace:
      "  await withdrawProvisionWork(step, { accountId, serverId });\n  if (accountId === serverId) {",
    tests: [`${server}/features/servers/cancel-server.test.ts`],
  },
  {
    name: "cancelled-server-refunded-again",
    thought: "The key already makes sure that it happens once.",
    file: `${server}/features/servers/abandon-provisioning.ts`,
    find: "  if (!(await abandonServer(tx, serverId))) {",
    replace: "  await abandonServer(tx, serverId);\n  if (serverId === reason) {",
    also: [
      {
        file: `${server}/features/servers/abandon-provisioning.ts`,
        find: "cause: `refund/${serverId}`",
        replace: 'cause: `refund/${serverId}/${scope.core.ids.next("work")}`',
      },
    ],
    tests: [`${server}/features/servers/abandon-provisioning.test.ts`],
  },
];
