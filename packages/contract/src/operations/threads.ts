import { Type } from "typebox";
import { limits } from "../limits.ts";
import { operation } from "../operation.ts";
import { count, id, nullableText, nullableTime, text, time, words } from "../schemas.ts";

const threadStates = ["OPEN", "CLOSED"] as const;
export const messageSenders = ["CUSTOMER", "OPERATOR", "SERVICE"] as const;

const sealedText = Type.Object(
  {
    ciphertext: nullableText("Armored age text, or null once it has expired."),
    fingerprint: text(
      "Of the SSH key that opens it.",
      "SHA256:reQPBsKU08vqtan6GXNJU6A9nXAotPTltzJueWZSw7M",
    ),
    expiresAt: nullableTime,
  },
  { title: "SealedText" },
);

export const sealed = Type.Union([sealedText, Type.Null()], {
  description: "Text that only an SSH key of the customer opens. Null on plain messages.",
  examples: [null],
});

const message = Type.Object(
  {
    id: id("message"),
    from: words(messageSenders, { description: "OPERATOR is any of the service's operators." }),
    createdAt: time,
    text: text("Plain text.", "Reboot: done."),
    sealed,
  },
  { title: "Message" },
);

export const threadFields = {
  id: id("thread"),
  subject: text("What the thread is about.", "Server web1.example.com"),
  serverId: nullableText("The server whose thread this is.", "srv_01kfxq8n3ve7wt5c2m9hzr4d6y"),
  state: words(threadStates, { description: "A new message reopens a closed thread." }),
  createdAt: time,
  lastMessageAt: time,
};

const thread = {
  ...threadFields,
  unread: count("Messages to you since you last marked the thread as read."),
};

const listedThread = Type.Object(thread, { title: "ListedThread" });
const threadDetail = Type.Object(
  {
    ...thread,
    messages: Type.Array(message, { description: "The 100 most recent, oldest first." }),
  },
  { title: "Thread" },
);

export const messageText = Type.String({
  minLength: 1,
  maxLength: limits.messageBytes,
  description: `Plain text of at most ${limits.messageBytes} bytes in UTF-8.`,
  examples: ["The second disk reports read errors. Could you check it?"],
  message: `must be text of at most ${limits.messageBytes} bytes`,
});

export const threadSubject = Type.String({
  minLength: limits.threadSubject.min,
  maxLength: limits.threadSubject.max,
  examples: ["Second disk"],
  message: `must be ${limits.threadSubject.min} to ${limits.threadSubject.max} characters`,
});

const ofMessages = {
  listener: "account",
  tag: "Messages",
  extension: true,
  access: { kind: "session", scopes: [] },
} as const;

export const threads = {
  listThreads: operation({
    ...ofMessages,
    method: "GET",
    path: "/api/v1/threads",
    summary: "List threads",
    description:
      "The 100 with the most recent messages, newest first, without their messages. Operators report the outcome of deliveries, actions, DDoS changes and withdrawals here.",
    idempotency: "none",
    answers: { 200: Type.Object({ threads: Type.Array(listedThread) }) },
    errors: [],
  }),
  openThread: operation({
    ...ofMessages,
    method: "POST",
    path: "/api/v1/threads",
    summary: "Write to the operators",
    description:
      "Opens a thread. With `serverId` the message goes to that server's own thread, which takes the new subject. At most 20 threads that you opened can be open at a time, not counting those of servers, and you can send 100 messages a day.",
    frozen: "allowed",
    idempotency: "replay",
    body: Type.Object(
      {
        subject: threadSubject,
        text: messageText,
        serverId: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 64,
            description: "One of your servers.",
            message: "must be the id of one of your servers",
          }),
        ),
      },
      { additionalProperties: false },
    ),
    answers: { 201: threadDetail },
    errors: ["not_found", "limit_reached", "rate_limited"],
  }),
  readThread: operation({
    ...ofMessages,
    method: "GET",
    path: "/api/v1/threads/{id}",
    summary: "Read a thread",
    description: "Reading does not mark the thread as read.",
    idempotency: "none",
    answers: { 200: threadDetail },
    errors: [],
  }),
  sendMessage: operation({
    ...ofMessages,
    method: "POST",
    path: "/api/v1/threads/{id}/messages",
    summary: "Send a message",
    description: "Reopens a closed thread. You can send 100 messages a day.",
    frozen: "allowed",
    idempotency: "replay",
    body: Type.Object({ text: messageText }, { additionalProperties: false }),
    answers: { 201: message },
    errors: ["limit_reached", "rate_limited"],
  }),
  closeThread: operation({
    ...ofMessages,
    method: "POST",
    path: "/api/v1/threads/{id}/close",
    summary: "Close a thread",
    idempotency: "none",
    answers: { 204: null },
    errors: [],
  }),
  markThreadRead: operation({
    ...ofMessages,
    method: "POST",
    path: "/api/v1/threads/{id}/read",
    summary: "Mark a thread as read",
    frozen: "allowed",
    idempotency: "none",
    answers: { 204: null },
    errors: [],
  }),
};
