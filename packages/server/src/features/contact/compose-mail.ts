import type { Core, MailRoute } from "#kernel/core.ts";
import type { MailDetail } from "#kernel/mails.ts";
import type { Mail } from "#ports/mail.ts";
import type { MailKind } from "#ports/schema.ts";
import { codeContext } from "./confirmation-code.ts";
import { brandLinks, htmlText, type MailFrame } from "./mail-html.ts";
import { mailText, type MailText } from "./mail-texts.ts";

interface QueuedMail {
  readonly id: string;
  readonly username: string;
  readonly kind: MailKind;
  readonly topic: string;
  readonly detail: string;
  readonly recipient: string;
}

/** Writes a queued mail as plain text and as HTML. */
export async function composeMail(
  { sealing }: Pick<Core, "sealing">,
  { brand, url }: MailRoute,
  { id, username, kind, topic, detail, recipient }: QueuedMail,
): Promise<Mail> {
  const fields = JSON.parse(detail) as MailDetail;
  const sealed = fields["code"];
  const opened =
    typeof sealed === "string"
      ? { ...fields, code: await sealing.open(sealed, codeContext(id)) }
      : fields;
  const content = mailText(topic, opened);
  const canUnsubscribe = kind !== "SECURITY" && kind !== "CONFIRMATION";
  const unsubscribeUrl = canUnsubscribe ? `${url}/security` : undefined;
  const reason = `${brand.name} sends this because ${reasonFor(kind)}.`;
  const frame = { brand, url, username, reason, unsubscribeUrl };
  return {
    id,
    to: recipient,
    subject: content.subject,
    text: plainText(content, frame),
    html: htmlText(content, frame),
    unsubscribeUrl,
  };
}

function reasonFor(kind: MailKind): string {
  if (kind === "CONFIRMATION") return "this address was entered for an account";
  if (kind !== "SECURITY") return "your account has this address";
  return "your account has this address. Mails about security cannot be turned off";
}

function plainText({ paragraphs, code, link }: MailText, frame: MailFrame): string {
  const [first = "", ...rest] = paragraphs;
  return [
    `Hello ${frame.username},`,
    first,
    ...(code === undefined ? [] : [`    ${code}`]),
    ...rest,
    ...(link === undefined ? [] : [`${link.label}: ${frame.url}${link.path}`]),
    `-- \n${frame.reason}`,
    ...(frame.brand.support === undefined ? [] : [frame.brand.support]),
    ...brandLinks(frame.brand).map(({ label, href }) => `${label}: ${href}`),
    ...(frame.unsubscribeUrl === undefined ? [] : [`Unsubscribe: ${frame.unsubscribeUrl}`]),
  ].join("\n\n");
}
