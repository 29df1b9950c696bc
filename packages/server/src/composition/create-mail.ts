import { createSmtpMailer } from "#adapters/mail-smtp/smtp-mailer.ts";
import type { Config } from "#config.ts";
import type { Core, MailRoute } from "#kernel/core.ts";
import { brandOf } from "./brand-file.ts";

/** Connects what `IRONLEASE_SMTP` names. Calls no server. */
export function createMail(config: Config): MailRoute | undefined {
  const { smtp, smtpPasswordFile: passwordFile, smtpCaFile: caFile, mailFrom } = config;
  if (smtp === undefined || mailFrom === undefined) return undefined;
  const brand = brandOf(config);
  const from = { ...mailFrom, name: mailFrom.name === "" ? brand.name : mailFrom.name };
  const mailer = createSmtpMailer({ ...smtp, passwordFile, caFile, from });
  return { mailer, brand: { ...brand, name: from.name }, url: urlOf(config) };
}

/** Without an origin, e-mails link to the open listener: the settings may leave its port to the system. */
export function linkMailsTo(listenerUrl: string, core: Core, { origin }: Config): Core {
  if (core.mail === undefined || origin !== undefined) return core;
  return { ...core, mail: { ...core.mail, url: listenerUrl } };
}

/** The first origin, or this machine's own address while the service has none. */
function urlOf({ origin, listen, tls }: Config): string {
  return origin?.[0] ?? `${tls.kind === "off" ? "http" : "https"}://localhost:${listen.port}`;
}
