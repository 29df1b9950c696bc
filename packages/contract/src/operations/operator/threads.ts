import { Type } from "typebox";
import { limits } from "../../limits.ts";
import { operation } from "../../operation.ts";
import { afterId, asOperator, assignee, minimumAge } from "../../operator-fields.ts";
import { count, id, nullableText, text, time, words } from "../../schemas.ts";
import { messageSenders, messageText, sealed, threadFields, threadSubject } from "../threads.ts";

const message = Type.Object(
  {
    id: id("message"),
    from: words(messageSenders),
    operator: nullableText("The operator who wrote it. Customers do not see the name.", "alice"),
    createdAt: time,
    text: text("Plain text.", "Reboot: done."),
    sealed,
  },
  { title: "CustomerMessage" },
);

const thread = {
  ...threadFields,
  accountId: id("account"),
  username: Type.String({ description: "The customer." }),
  regionId: nullableText("The server's region.", "fra"),
  unread: count("Messages from the customer since an operator last answered or closed the thread."),
  assignedTo: nullableText("The operator who takes care of it.", "alice"),
};

const listedThread = Type.Object(thread, { title: "ListedCustomerThread" });
const threadDetail = Type.Object(
  {
    ...thread,
    messages: Type.Array(message, { description: "The 100 most recent, oldest first." }),
  },
  { title: "CustomerThread" },
);

const customerKey = Type.Object(
  {
    name: text("The customer's name for it, or the host name of the server.", "laptop"),
    serverId: nullableText(
      "The server that was ordered with it. Null for a saved key.",
      "srv_01kfxq8n3ve7wt5c2m9hzr4d6y",
    ),
    publicKey: text("One line in OpenSSH format."),
    type: text("The type of the key.", "ssh-ed25519"),
    fingerprint: text(
      "In the format of ssh-keygen.",
      "SHA256:reQPBsKU08vqtan6GXNJU6A9nXAotPTltzJueWZSw7M",
    ),
    sealable: Type.Boolean({ description: "Whether age can encrypt to it: ed25519 and RSA." }),
  },
  { title: "CustomerSshKey" },
);

const readDetail = Type.Object(
  {
    ...threadDetail.properties,
    sshKeys: Type.Array(customerKey, {
      description:
        "Keys to which a message can be sealed: the one of the thread's server first, then saved ones, then those of other servers.",
    }),
  },
  { title: "CustomerThreadWithKeys" },
);

const sealedInput = Type.Object(
  {
    ciphertext: Type.String({
      minLength: 1,
      maxLength: limits.sealedTextLength,
      description: `An armored age file with one recipient, of at most ${limits.sealedTextLength} characters.`,
      message: `must be an armored age file of at most ${limits.sealedTextLength} characters`,
    }),
    fingerprint: Type.String({
      pattern: "^SHA256:[A-Za-z0-9+/]{43}$",
      description: "Of the customer's SSH key to which it is encrypted.",
      examples: ["SHA256:reQPBsKU08vqtan6GXNJU6A9nXAotPTltzJueWZSw7M"],
      message: "must be a fingerprint such as SHA256:reQPBsKU08vqtan6GXNJU6A9nXAotPTltzJueWZSw7M",
    }),
    expiresAt: Type.Optional(
      Type.String({
        maxLength: 40,
        description: "When the ciphertext is erased. Left out: never.",
        examples: ["2026-11-23T09:30:00.000Z"],
        message: "must be a time in UTC such as 2026-11-23T09:30:00.000Z",
      }),
    ),
  },
  { additionalProperties: false, title: "SealedTextInput" },
);

const subjectId = (description: string, example: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description,
      examples: [example],
      message: "must be an id",
    }),
  );

const ofMessages = { ...asOperator("support"), tag: "Messages" } as const;

export const operatorThreads = {
  listAllThreads: operation({
    ...ofMessages,
    method: "GET",
    path: "/operator/v1/threads",
    summary: "List threads",
    description:
      "100 per page, the most recent message first. With `unread` only those with an unanswered message, the longest waiting first.",
    query: Type.Object(
      {
        unread: Type.Optional(
          Type.String({
            pattern: "^(?:|0|1|true|false)$",
            message: "must be true or false",
            describedAs: { type: "boolean" },
          }),
        ),
        regionId: Type.Optional(Type.String({ maxLength: 64, message: "must be a region id" })),
        assignedTo: Type.Optional(
          Type.String({
            maxLength: 64,
            description: "An operator's username.",
            examples: ["alice"],
            message: "must be an operator's username",
          }),
        ),
        accountId: Type.Optional(Type.String({ maxLength: 64, message: "must be an account id" })),
        serverId: Type.Optional(Type.String({ maxLength: 64, message: "must be a server id" })),
        minimumAgeHours: minimumAge("Only threads whose last message is at least this old."),
        after: afterId("thread"),
      },
      { additionalProperties: false },
    ),
    answers: { 200: Type.Object({ threads: Type.Array(listedThread) }) },
    errors: [],
  }),
  readAnyThread: operation({
    ...ofMessages,
    method: "GET",
    path: "/operator/v1/threads/{id}",
    summary: "Read a thread",
    answers: { 200: readDetail },
    errors: [],
  }),
  writeToCustomer: operation({
    ...ofMessages,
    method: "POST",
    path: "/operator/v1/threads",
    summary: "Write to a customer",
    description:
      "Name exactly one of `accountId`, `serverId` and `workId`. A server has one thread, and so have an account's withdrawals; a work item's message goes there. With `accountId` a new thread opens.",
    idempotency: "replay",
    body: Type.Object(
      {
        accountId: subjectId("A customer's account.", "acc_01kfxq8n3ve7wt5c2m9hzr4d6y"),
        serverId: subjectId("A customer's server.", "srv_01kfxq8n3ve7wt5c2m9hzr4d6y"),
        workId: subjectId("A work item.", "wrk_01kfxq8n3ve7wt5c2m9hzr4d6y"),
        subject: Type.Optional(threadSubject),
        text: messageText,
      },
      {
        additionalProperties: false,
        examples: [
          { serverId: "srv_01kfxq8n3ve7wt5c2m9hzr4d6y", text: "We replaced the second disk." },
        ],
      },
    ),
    answers: { 201: threadDetail },
    errors: ["not_found", "conflict"],
  }),
  answerThread: operation({
    ...ofMessages,
    method: "POST",
    path: "/operator/v1/threads/{id}/messages",
    summary: "Answer a thread",
    description:
      "Reopens a closed thread. Send exactly one of `text` and `sealed`. A sealed message is an age file that you encrypt to one SSH key of the customer, such as a root password: the service cannot read it.",
    idempotency: "replay",
    body: Type.Object(
      { text: Type.Optional(messageText), sealed: Type.Optional(sealedInput) },
      { additionalProperties: false, examples: [{ text: "We replaced the second disk." }] },
    ),
    answers: { 201: message },
    errors: ["conflict"],
  }),
  assignThread: operation({
    ...ofMessages,
    method: "POST",
    path: "/operator/v1/threads/{id}/assign",
    summary: "Assign a thread",
    body: Type.Object({ operator: assignee }, { additionalProperties: false }),
    answers: { 204: null },
    errors: [],
  }),
  closeAnyThread: operation({
    ...ofMessages,
    method: "POST",
    path: "/operator/v1/threads/{id}/close",
    summary: "Close a thread",
    answers: { 204: null },
    errors: [],
  }),
};
