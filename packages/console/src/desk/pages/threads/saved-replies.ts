/** Answers that operators write often. They start from one and adapt it. */
export const savedReplies = [
  {
    name: "We are on it",
    text: "Thank you for your message. We are looking into it and will write again here.",
  },
  {
    name: "Need more details",
    text: "Thank you for your message. Please tell us when it happened, what you expected and what you saw instead, so that we can reproduce it.",
  },
  {
    name: "Hardware check planned",
    text: "We will check the hardware. The server will be off for a short time. Please tell us which time suits you, in UTC.",
  },
  {
    name: "Resolved",
    text: "This is resolved. We close the thread, and a new message from you opens it again.",
  },
] as const;
