import { readFileSync } from "node:fs";
import { createTransport } from "nodemailer";
import { MailUnavailable, type MailAnswer, type Mailer } from "#ports/mail.ts";

export interface SmtpOptions {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte. Otherwise STARTTLS. */
  readonly implicitTls: boolean;
  /** On this machine, TLS is used if the server offers it, and its certificate is verified only against `caFile`. */
  readonly isLoopback: boolean;
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** Read for each connection, so that it can be replaced without a restart. */
  readonly passwordFile: string | undefined;
  /** The certificate authority of the server's certificate. By default, those that Node trusts. */
  readonly caFile: string | undefined;
  readonly from: { readonly name: string; readonly address: string };
}

/** Together less than the lease of a mail, so that no other instance sends the same mail meanwhile. */
const timeouts = {
  dnsTimeout: 5_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
} as const;

/** Sends mail through an SMTP server with nodemailer, one connection per mail. */
export function createSmtpMailer(options: SmtpOptions): Mailer {
  const { from } = options;
  const domain = from.address.slice(from.address.lastIndexOf("@") + 1);
  return {
    send: async ({ id, to, subject, text, html, unsubscribeUrl }) => {
      const transport = connect(options);
      try {
        await transport.sendMail({
          // Objects, because nodemailer parses a string as a list of addresses.
          from,
          to: { name: "", address: to },
          subject,
          text,
          html,
          messageId: `<${id}@${domain}>`,
          headers: {
            "auto-submitted": "auto-generated",
            ...(unsubscribeUrl !== undefined && { "list-unsubscribe": `<${unsubscribeUrl}>` }),
          },
          disableFileAccess: true,
          disableUrlAccess: true,
        });
        return "SENT";
      } catch (error) {
        return answerOf(error);
      } finally {
        transport.close();
      }
    },
    check: async () => {
      const transport = connect(options);
      try {
        await transport.verify();
      } catch (error) {
        throw unavailable(error);
      } finally {
        transport.close();
      }
    },
  };
}

function connect({ host, port, implicitTls, isLoopback, user, caFile, ...options }: SmtpOptions) {
  const ca = caFile === undefined ? undefined : readSecret(caFile);
  const isVerified = !isLoopback || ca !== undefined;
  return createTransport({
    host,
    port,
    secure: implicitTls,
    requireTLS: isVerified,
    tls: { rejectUnauthorized: isVerified, ...(ca !== undefined && { ca }) },
    ...(user !== undefined && { auth: { user, pass: passwordOf(options) } }),
    ...timeouts,
  });
}

function passwordOf({
  password,
  passwordFile,
}: Pick<SmtpOptions, "password" | "passwordFile">): string {
  return passwordFile === undefined ? (password ?? "") : readSecret(passwordFile).trim();
}

function readSecret(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new MailUnavailable(`the file ${path} cannot be read (${fieldOf(error, "code")})`);
  }
}

/** What an error means for this mail. Throws what concerns all mails. */
function answerOf(error: unknown): Exclude<MailAnswer, "SENT"> {
  const command = fieldOf(error, "command");
  const status = Number(fieldOf(error, "responseCode"));
  const isOfRecipient = command === "RCPT TO";
  if ((!isOfRecipient && command !== "DATA") || !(status >= 400)) throw unavailable(error);
  if (status < 500) return "DEFERRED";
  return isOfRecipient ? "ADDRESS_REFUSED" : "MAIL_REFUSED";
}

/** Without the text of the server, which may contain an address. */
function unavailable(error: unknown): MailUnavailable {
  if (error instanceof MailUnavailable) return error;
  const known = ["code", "command", "responseCode"]
    .map((field) => fieldOf(error, field))
    .filter((text) => text !== "");
  return new MailUnavailable(`the mail server cannot be used (${known.join(" ")})`);
}

function fieldOf(error: unknown, field: string): string {
  if (typeof error !== "object" || error === null || !(field in error)) return "";
  const value: unknown = (error as Record<string, unknown>)[field];
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
