import { accepted, type Checked } from "#kernel/checked.ts";
import { isInNetworks } from "#kernel/networks.ts";
import { checkPublicUrl, unbracketed } from "#kernel/public-url.ts";

/**
 * Checks the text of an endpoint's URL: public and HTTPS, or plain HTTP or HTTPS to an allowed network. The addresses of
 * a host name are checked at each connection.
 */
export function checkWebhookUrl(text: string, allowed: readonly string[]): Checked<string> {
  const checked = checkPublicUrl(text);
  if (checked.ok || allowed.length === 0) return checked;
  const url = /^https?:\/\/[^@#\\\s]+$/i.test(text) ? URL.parse(text) : null;
  if (url === null) return checked;
  const host = unbracketed(url.hostname);
  return host === "localhost" || isInNetworks(host, allowed) ? accepted(url.href) : checked;
}
