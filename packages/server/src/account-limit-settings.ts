import * as read from "./setting-readers.ts";

/** How often a customer may do what is costly for others. */
export const accountLimitSettings = {
  messagesPerAccount: {
    name: "IRONLEASE_LIMIT_MESSAGES",
    default: read.defaultRate("messagesPerAccount"),
    meaning: "Messages that a customer may send to the operators.",
    read: read.rateLimit,
  },
  exportsPerAccount: {
    name: "IRONLEASE_LIMIT_EXPORTS",
    default: read.defaultRate("exportsPerAccount"),
    meaning: "Exports of an account's data.",
    read: read.rateLimit,
  },
} as const;
