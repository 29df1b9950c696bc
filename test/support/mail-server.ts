import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join, dirname } from "node:path";
import { SMTPServer } from "smtp-server";
import { createSmtpMailer } from "#server/adapters/mail-smtp/smtp-mailer.ts";
import type { Core } from "#server/kernel/core.ts";
import { testCertificate } from "./service.ts";

const mailUser = "rent";
export const mailPassword = "s3cret of the mail server";

/** A mail as the server received it. */
export interface ReceivedMail {
  readonly to: string;
  readonly headers: string;
  readonly text: string;
  readonly html: string;
  /** As it was sent. */
  readonly source: string;
}

/** The status with which the server refuses a command. */
export interface Refusals {
  recipient: number | undefined;
  data: number | undefined;
}

export interface MailServer {
  readonly port: number;
  readonly url: string;
  /** The settings of a service that sends through this server. */
  readonly settings: Readonly<Record<string, string>>;
  readonly caFile: string;
  readonly received: ReceivedMail[];
  /** The mail with this subject to this address, now or when it arrives. */
  mailTo(to: string, subject: string): Promise<ReceivedMail>;
  /** What is refused from now on. */
  readonly refusals: Refusals;
  /** How a core sends through this server. */
  readonly route: NonNullable<Core["mail"]>;
  close(): Promise<void>;
}

const from = { name: "Rent Example", address: "no-reply@rent.example" };

/** A real SMTP server in this process, which requires STARTTLS and a sign-in. */
export async function startMailServer(): Promise<MailServer> {
  const { certificatePath, keyPath, ca } = await testCertificate();
  const caFile = join(dirname(certificatePath), "mail-ca.pem");
  writeFileSync(caFile, ca);
  const received: ReceivedMail[] = [];
  const refusals: Refusals = { recipient: undefined, data: undefined };
  const server = new SMTPServer({
    key: readFileSync(keyPath),
    cert: readFileSync(certificatePath),
    closeTimeout: 0,
    onAuth: ({ username, password }, session, callback) => {
      const isRight = session.secure && username === mailUser && password === mailPassword;
      if (isRight) callback(null, { user: username });
      else callback(refusal(535));
    },
    onRcptTo: (_, __, callback) => callback(refusal(refusals.recipient)),
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const error = refusal(refusals.data);
        if (error === null) {
          const to = session.envelope.rcptTo.map(({ address }) => address).join(",");
          received.push(readMail(to, Buffer.concat(chunks).toString("utf8")));
          server.emit("received");
        }
        callback(error);
      });
    },
  });
  server.on("error", () => undefined);
  const listening = await new Promise<AddressInfo>((resolve) => {
    const { server: socket } = server;
    server.listen(0, "127.0.0.1", () => resolve(socket.address() as AddressInfo));
  });
  const url = `smtp://${mailUser}:${encodeURIComponent(mailPassword)}@127.0.0.1:${listening.port}`;
  return {
    port: listening.port,
    url,
    caFile,
    settings: {
      IRONLEASE_SMTP: url,
      IRONLEASE_SMTP_CA: caFile,
      IRONLEASE_MAIL_FROM: `${from.name} <${from.address}>`,
    },
    received,
    mailTo: async (to, subject) => {
      const isIt = (mail: ReceivedMail) =>
        mail.to === to && mail.headers.includes(`Subject: ${subject}`);
      let found = received.find(isIt);
      while (found === undefined) {
        await once(server, "received");
        found = received.find(isIt);
      }
      return found;
    },
    refusals,
    route: {
      mailer: mailerFor(listening.port, { caFile }),
      brand: { name: from.name },
      url: "https://rent.example",
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The confirmation code in a mail. Empty when there is none. */
export function codeIn(mail: ReceivedMail | undefined): string {
  return /^ {4}([0-9A-Z]{5}-[0-9A-Z]{5})\r?$/m.exec(mail?.text ?? "")?.[1] ?? "";
}

/** A mailer as the service creates it. */
export function mailerFor(
  port: number,
  options: { readonly caFile?: string; readonly password?: string; readonly passwordFile?: string },
) {
  const { caFile, password = mailPassword, passwordFile } = options;
  return createSmtpMailer({
    host: "127.0.0.1",
    port,
    implicitTls: false,
    isLoopback: true,
    user: mailUser,
    password,
    passwordFile,
    caFile,
    from,
  });
}

function refusal(status: number | undefined): Error | null {
  if (status === undefined) return null;
  return Object.assign(new Error("refused by the test"), { responseCode: status });
}

function readMail(to: string, source: string): ReceivedMail {
  const [headers = "", ...body] = source.split("\r\n\r\n");
  const boundary = /boundary="([^"]+)"/.exec(headers)?.[1] ?? "";
  const parts = body.join("\r\n\r\n").split(`--${boundary}`);
  const partOf = (type: string) => {
    const part = parts.find((candidate) => candidate.includes(`Content-Type: ${type}`)) ?? "";
    return decode(part);
  };
  const [text, html] = [partOf("text/plain"), partOf("text/html")];
  return { to, headers: headers.replaceAll(/\r\n[ \t]+/g, " "), text, html, source };
}

function decode(part: string): string {
  const [head = "", ...body] = part.split("\r\n\r\n");
  const content = body.join("\r\n\r\n");
  if (!/quoted-printable/i.test(head)) return content;
  const bytes = content
    .replaceAll("=\r\n", "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}
