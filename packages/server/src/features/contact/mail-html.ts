import type { Brand } from "#kernel/brand.ts";
import type { MailText } from "./mail-texts.ts";

/** What surrounds the content of a mail. */
export interface MailFrame {
  readonly brand: Brand;
  /** The address of the console. */
  readonly url: string;
  readonly username: string;
  /** A sentence that says why the recipient gets the mail. */
  readonly reason: string;
  readonly unsubscribeUrl: string | undefined;
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

/** A mail as HTML. Every text is escaped. */
export function htmlText(
  { subject, paragraphs, code, link }: MailText,
  { brand, username, url, reason, unsubscribeUrl }: MailFrame,
): string {
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
      : `<p style="margin: 24px 0 0;"><a${brand.accent === undefined ? ' class="button"' : ""} href="${escapeHtml(`${url}${link.path}`)}" style="display: inline-block; padding: 10px 18px; border-radius: 6px; background: ${brand.accent?.light ?? "#1c2024"}; color: #ffffff; font-weight: 600; text-decoration: none;">${escapeHtml(link.label)}</a></p>`;
  const unsubscribe =
    unsubscribeUrl === undefined
      ? ""
      : ` <a class="quiet" href="${escapeHtml(unsubscribeUrl)}" style="color: #5c646c;">Unsubscribe</a>`;
  const links = brandLinks(brand)
    .map(
      ({ label, href }) =>
        ` <a class="quiet" href="${escapeHtml(href)}" style="color: #5c646c;">${label}</a>`,
    )
    .join("");
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
<p class="text" style="margin: 0 0 20px; color: #1c2024; font-weight: 700;">${escapeHtml(brand.name)}</p>
<h1 class="text" style="margin: 0 0 16px; color: #1c2024; font-size: 20px; line-height: 1.3;">${escapeHtml(subject)}</h1>
${paragraph(`Hello ${username},`)}
${[paragraph(first), codeBlock, ...rest.map(paragraph), button].join("\n")}
</div>
<p class="quiet" style="max-width: 560px; margin: 16px auto 0; color: #5c646c; font-size: 13px;">${[reason, ...(brand.support === undefined ? [] : [brand.support])].map(escapeHtml).join(" ")}${links}${unsubscribe}</p>
</div>
</body>
</html>
`;
}

/** The links that a brand adds below every mail. */
export function brandLinks({ termsUrl, privacyUrl }: Brand) {
  return [
    ...(termsUrl === undefined ? [] : [{ label: "Terms", href: termsUrl }]),
    ...(privacyUrl === undefined ? [] : [{ label: "Privacy", href: privacyUrl }]),
  ];
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
