import type { MailDetail } from "#kernel/mails.ts";

/** The content of a mail, without greeting and frame. */
export interface MailText {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** Shown large, on its own. */
  readonly code?: string;
  /** A link to a page of the console. */
  readonly link?: { readonly label: string; readonly path: string };
}

const security = { label: "Open security settings", path: "/security" } as const;

const withdrawals = { label: "Review withdrawals", path: "/billing/withdraw" } as const;

const notYou =
  "If this was not you, change your password now and end the sessions you do not know.";

type Write = (detail: Fields) => MailText;

/** Reads what a mail tells. */
interface Fields {
  /** The first of these that is there. */
  readonly text: (...names: readonly string[]) => string;
  readonly time: (name: string) => string;
}

/** The text of every topic. No text of a message, no balance and no address of a wallet is in any of them. */
const texts: Readonly<Record<string, Write>> = {
  "contact.code": ({ text }) => ({
    subject: "Confirm your e-mail address",
    paragraphs: [
      "Enter this code on the page Security to receive e-mail about your account here. It is valid for one hour.",
      "If you did not ask for it, ignore this mail. Without the code, nothing more is sent to you.",
    ],
    code: text("code"),
    link: security,
  }),
  "contact.changed": () => ({
    subject: "Your e-mail address was changed",
    paragraphs: ["A new e-mail address was confirmed for your account.", notYou],
    link: security,
  }),
  "contact.removed": () => ({
    subject: "Your e-mail address was removed",
    paragraphs: [
      "This address was removed from your account. This is the last e-mail to it.",
      notYou,
    ],
    link: security,
  }),
  "account.password_changed": () => ({
    subject: "Your password was changed",
    paragraphs: [
      "The password of your account was changed. All sessions and API keys have ended.",
      "If this was not you, use your recovery code to set a new password now.",
    ],
    link: { label: "Use a recovery code", path: "/recover" },
  }),
  "account.recovered": () => ({
    subject: "Your account was recovered",
    paragraphs: [
      "A recovery code was used to set a new password. All sessions and API keys have ended, and no second factor is set up.",
      "If this was not you, contact support at once.",
    ],
  }),
  "second_factor.on": () => ({
    subject: "A second factor was turned on",
    paragraphs: [
      "Signing in to your account now needs a code of an authenticator app. All other sessions have ended.",
      "If this was not you, use your recovery code to set a new password now. That also turns it off.",
    ],
    link: { label: "Use a recovery code", path: "/recover" },
  }),
  "second_factor.off": () => ({
    subject: "The second factor was turned off",
    paragraphs: ["Your password is now enough to sign in to your account.", notYou],
    link: security,
  }),
  "second_factor.code_used": () => ({
    subject: "A recovery code of your second factor was used",
    paragraphs: [
      "Your account was signed in to with your password and a recovery code of the second factor. That code does not work again.",
      notYou,
    ],
    link: security,
  }),
  "api_key.created": () => ({
    subject: "An API key was created",
    paragraphs: ["A new API key can read data of your account.", notYou],
    link: { label: "Review your API keys", path: "/keys" },
  }),
  "passkey.added": () => ({
    subject: "A passkey was added",
    paragraphs: [
      "A new passkey can sign in to your account without the password.",
      "If this was not you, remove it now, change your password and end the sessions you do not know.",
    ],
    link: security,
  }),
  "passkey.removed": () => ({
    subject: "A passkey was removed",
    paragraphs: ["A passkey was removed from your account. It can no longer sign in.", notYou],
    link: security,
  }),
  "withdrawal_address.added": ({ text }) => ({
    subject: "A withdrawal address was saved",
    paragraphs: [
      `A new ${text("asset")} address for withdrawals was saved. If withdrawals are locked, it becomes usable in 48 hours.`,
      notYou,
    ],
    link: withdrawals,
  }),
  "withdrawals.lock": () => ({
    subject: "Withdrawals were locked",
    paragraphs: [
      "Withdrawals from your account now go only to addresses that were saved at least 48 hours ago.",
      notYou,
    ],
    link: withdrawals,
  }),
  "withdrawals.unlock": ({ time }) => ({
    subject: "An unlock of withdrawals was requested",
    paragraphs: [
      `From ${time("unlocksAt")} on, withdrawals from your account can go to any address. Until then you can lock them again.`,
      notYou,
    ],
    link: withdrawals,
  }),
  "session.created": ({ text, time }) => ({
    subject: "Sign-in from a new network",
    paragraphs: [
      `Your account was signed in to from ${text("ipAddress")} at ${time("at")}, a network that it had not used before.`,
      notYou,
    ],
    link: security,
  }),
  "server.grace": ({ text, time }) => ({
    subject: "A server is unpaid and will end",
    paragraphs: [
      `The paid term of ${text("hostname", "serverId")} has ended. Its grace period lasts until ${time("graceUntil")}.`,
      "Make a deposit before then to keep the server. After that, it ends and its data is erased.",
    ],
    link: { label: "Make a deposit", path: "/billing/deposit" },
  }),
  "server.terminated": ({ text }) => ({
    subject: "A server has ended",
    paragraphs: [`${text("hostname", "serverId")} has ended. Data that was on it will be erased.`],
    link: { label: "Open your servers", path: "/servers" },
  }),
  "withdrawal.paid": ({ text }) => ({
    subject: "A withdrawal was paid",
    paragraphs: [
      `The withdrawal ${text("withdrawalId")} was paid. Your ledger has the transaction.`,
    ],
    link: { label: "Open billing", path: "/billing" },
  }),
  "withdrawal.rejected": ({ text }) => ({
    subject: "A withdrawal was rejected",
    paragraphs: [
      `The withdrawal ${text("withdrawalId")} was rejected, and its amount is available again. Your messages have the reason.`,
    ],
    link: { label: "Open messages", path: "/messages" },
  }),
  "message.received": ({ text }) => ({
    subject: "You have a new message",
    paragraphs: ["The operators wrote to you. Sign in to read the message."],
    link: { label: "Open the message", path: `/messages/${encodeURIComponent(text("threadId"))}` },
  }),
};

export function mailText(topic: string, detail: MailDetail): MailText {
  const write = texts[topic];
  if (write === undefined) throw new Error(`there is no text for mails about ${topic}`);
  return write({
    text: (...names) => String(names.map((name) => detail[name] ?? "").find(Boolean) ?? ""),
    time: (name) => timeText(String(detail[name])),
  });
}

/** Times are in UTC, because the service does not know the recipient's time zone. */
function timeText(isoTime: string): string {
  return `${isoTime.slice(0, 16).replace("T", " ")} UTC`;
}
