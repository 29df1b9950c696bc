import type { Core, MailRoute } from "#kernel/core.ts";
import type { MailDetail } from "#kernel/mails.ts";
import type { Mail } from "#ports/mail.ts";
import type { MailKind } from "#ports/schema.ts";
import { codeContext } from "./confirmation-code.ts";
import { mailText, type MailText } from "./mail-texts.ts";

interface QueuedMail {
  readonly id: string;
  readonly username: string;
  readonly kind: MailKind;
  readonly topic: string;
  readonly detail: string;
  readonly recipient: string;
}

interface Frame {
  readonly serviceName: string;
  readonly url: string;
  readonly username: string;
  /** Why the recipient gets the mail. */
  readonly footer: string;
}

/** Writes a queued mail as plain text and as HTML. */
export async function composeMail(
  { sealing }: Pick<Core, "sealing">,
  { serviceName, url }: MailRoute,
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
  const frame = { serviceName, url, username, footer: footerOf(serviceName, canUnsubscribe) };
  return {
    id,
    to: recipient,
    subject: content.subject,
    text: plainText(content, frame),
    html: htmlText(content, frame),
    unsubscribeUrl: canUnsubscribe ? `${url}/security` : undefined,
  };
}

function footerOf(serviceName: string, canUnsubscribe: boolean): string {
  return canUnsubscribe
    ? `${serviceName} sends this because your account has this address. To unsubscribe, open the page Security.`
    : `${serviceName} sends mails about security to every account that has an e-mail address.`;
}

function plainText({ paragraphs, code, link }: MailText, frame: Frame): string {
  const [first = "", ...rest] = paragraphs;
  return [
    `Hello ${frame.username},`,
    first,
    ...(code === undefined ? [] : [`    ${code}`]),
    ...rest,
    ...(link === undefined ? [] : [`${link.label}: ${frame.url}${link.path}`]),
    `-- \n${frame.footer}\n${frame.url}/security`,
  ].join("\n\n");
}

/** Colours for light and dark. Clients that ignore the style sheet show the light ones, which are inline. */
const styles = `
  :root { color-scheme: light dark; }
  @media (prefers-color-scheme: dark) {
    .page { background: #14171a !important; }
    .card { background: #1d2125 !important; border-color: #343a40 !important; }
    .text { color: #e8eaed !important; }
    .quiet { color: #a8b0b8 !important; }
    .code { background: #14171a !important; color: #e8eaed !important; border-color: #343a40 !important; }
    .button { background: #e8eaed !important; color: #14171a !important; }
  }`;

const font = "font-family: system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif;";

function htmlText({ subject, paragraphs, code, link }: MailText, frame: Frame): string {
  const { serviceName, username, url, footer } = frame;
  const paragraph = (text: string) =>
    `<p class="text" style="margin: 0 0 16px; color: #1c2024;">${escapeHtml(text)}</p>`;
  const [first = "", ...rest] = paragraphs;
  const codeBlock =
    code === undefined
      ? ""
      : `<p class="code" style="margin: 0 0 16px; padding: 16px; border: 1px solid #d5d9dd; border-radius: 6px; background: #f4f5f7; color: #1c2024; text-align: center; font: 600 22px ui-monospace, Menlo, Consolas, monospace; letter-spacing: 2px;">${escapeHtml(code)}</p>`;
  const button =
    link === undefined
      ? ""
      : `<p style="margin: 24px 0 0;"><a class="button" href="${escapeHtml(`${url}${link.path}`)}" style="display: inline-block; padding: 10px 18px; border-radius: 6px; background: #1c2024; color: #ffffff; font-weight: 600; text-decoration: none;">${escapeHtml(link.label)}</a></p>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${styles}
</style>
</head>
<body class="page" style="margin: 0; background: #f4f5f7;">
<div class="page" style="padding: 24px 12px; background: #f4f5f7; ${font} font-size: 16px; line-height: 1.5;">
<div class="card" style="max-width: 560px; margin: 0 auto; padding: 24px; border: 1px solid #d5d9dd; border-radius: 8px; background: #ffffff;">
<p class="text" style="margin: 0 0 20px; color: #1c2024; font-weight: 700;">${escapeHtml(serviceName)}</p>
<h1 class="text" style="margin: 0 0 16px; color: #1c2024; font-size: 20px; line-height: 1.3;">${escapeHtml(subject)}</h1>
${paragraph(`Hello ${username},`)}
${[paragraph(first), codeBlock, ...rest.map(paragraph), button].join("\n")}
</div>
<p class="quiet" style="max-width: 560px; margin: 16px auto 0; color: #5c646c; font-size: 13px;">${escapeHtml(footer)} <a class="quiet" href="${escapeHtml(url)}/security" style="color: #5c646c;">Security</a></p>
</div>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
