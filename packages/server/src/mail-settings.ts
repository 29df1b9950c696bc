import * as read from "./setting-readers.ts";
import * as readMail from "./mail-setting-readers.ts";

/** The settings of e-mail. */
export const mailSettings = {
  smtp: {
    name: "IRONLEASE_SMTP",
    default: undefined,
    secret: true,
    meaning:
      "Mail server, such as `smtp://user:password@mail.example:587` (STARTTLS) or `smtps://user:password@mail.example:465`. By default, the service [sends no e-mail](../guides/send-e-mail.md).",
    read: readMail.smtpUrl,
  },
  smtpPasswordFile: {
    name: "IRONLEASE_SMTP_PASSWORD_FILE",
    default: undefined,
    meaning: "File with the password of the mail server, instead of a password in the URL.",
    read: read.text,
  },
  smtpCaFile: {
    name: "IRONLEASE_SMTP_CA",
    default: undefined,
    meaning:
      "PEM file with the certificate authority of the mail server. By default, the public ones.",
    read: read.text,
  },
  mailFrom: {
    name: "IRONLEASE_MAIL_FROM",
    default: undefined,
    meaning:
      "Sender of e-mails, such as `no-reply@rent.example` or `Rent Example <no-reply@rent.example>`.",
    read: readMail.mailbox,
  },
  contactCodes: {
    name: "IRONLEASE_LIMIT_CONTACT_CODES",
    default: read.defaultRate("contactCodes"),
    meaning: "Confirmation codes sent per account, and per e-mail address.",
    read: read.rateLimit,
  },
  contactConfirmations: {
    name: "IRONLEASE_LIMIT_CONTACT_CONFIRMATIONS",
    default: read.defaultRate("contactConfirmations"),
    meaning: "Attempts to confirm an e-mail address per account.",
    read: read.rateLimit,
  },
} as const;
