import { createHmac } from "node:crypto";
import type { Random } from "#ports/random.ts";

/** The secret and signature of Standard Webhooks, https://www.standardwebhooks.com. */

const prefix = "whsec_";
const secretBytes = 32;

export function newWebhookSecret(random: Random): string {
  return prefix + random.bytes(secretBytes).toString("base64");
}

interface SignedMessage {
  readonly id: string;
  readonly atMs: number;
  readonly body: string;
}

/** One signature for each secret, so that a receiver that has only one of them can verify the message. */
export function signedHeaders(
  { id, atMs, body }: SignedMessage,
  secrets: readonly string[],
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(atMs / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}
