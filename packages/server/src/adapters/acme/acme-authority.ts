import "reflect-metadata";
import { createPrivateKey, KeyObject, X509Certificate } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import * as x509 from "@peculiar/x509";
import {
  OrderFailed,
  type CertificateAuthority,
  type CertificateOrder,
  type IssuedCertificate,
} from "#ports/certificate-authority.ts";
import {
  AcmeSession,
  describeProblem,
  urlIn,
  type AcmeAnswer,
  type AcmeOptions,
} from "./acme-session.ts";

export interface AcmeAuthorityOptions extends AcmeOptions {
  /** Where the authority sends warnings. */
  readonly contact: string | undefined;
}

const p256 = { name: "ECDSA", namedCurve: "P-256" };
/** How often to ask whether the authority has finished, unless it says. */
const pollMs = 1_000;
const longestPollMs = 10_000;
const certificateBlock = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** An authority that speaks ACME (RFC 8555) and checks names over HTTP (HTTP-01). */
export function connectAcme(options: AcmeAuthorityOptions): CertificateAuthority {
  return {
    order: async (order) => {
      const session = await AcmeSession.open(options, order.accountKeyPem, order.signal);
      const account = await session.post(session.url("newAccount"), {
        termsOfServiceAgreed: true,
        contact: options.contact === undefined ? [] : [`mailto:${options.contact}`],
      });
      session.accountUrl = urlIn({ ...account }, "location");
      const identifiers = order.names.map((value) => ({ type: "dns", value }));
      const placed = await session.post(session.url("newOrder"), { identifiers });
      const orderUrl = urlIn({ ...placed }, "location");
      for (const url of listIn(placed, "authorizations")) await prove(session, order, String(url));
      return finalize(session, order, orderUrl, urlIn(placed.json, "finalize"));
    },
  };
}

async function prove(session: AcmeSession, order: CertificateOrder, url: string): Promise<void> {
  const authorization = await session.post(url);
  if (authorization.json["status"] === "valid") return;
  const challenges = listIn(authorization, "challenges") as Record<string, unknown>[];
  const challenge = challenges.find(({ type }) => type === "http-01");
  const token = challenge?.["token"];
  if (challenge === undefined || typeof token !== "string" || !/^[\w-]{1,200}$/.test(token)) {
    throw new OrderFailed("the authority offers no HTTP challenge");
  }
  await order.answerChallenge(token, await session.keyAuthorization(token));
  await session.post(urlIn(challenge, "url"), {});
  const { json } = await poll(session, order, url, "pending");
  if (json["status"] === "valid") return;
  const refused = (json["challenges"] as Record<string, unknown>[] | undefined)?.find(
    ({ error }) => error !== undefined,
  );
  const { value } = (json["identifier"] ?? {}) as { value?: unknown };
  throw new OrderFailed(`${String(value)} was not proved: ${describeProblem(refused?.["error"])}`);
}

async function finalize(
  session: AcmeSession,
  order: CertificateOrder,
  orderUrl: string,
  finalizeUrl: string,
): Promise<IssuedCertificate> {
  const keys = await crypto.subtle.generateKey(p256, true, ["sign", "verify"]);
  const csr = await x509.Pkcs10CertificateRequestGenerator.create({
    keys,
    signingAlgorithm: { name: "ECDSA", hash: "SHA-256" },
    extensions: [
      new x509.SubjectAlternativeNameExtension(
        order.names.map((value) => ({ type: "dns" as const, value })),
      ),
    ],
  });
  await session.post(finalizeUrl, { csr: Buffer.from(csr.rawData).toString("base64url") });
  const { json } = await poll(session, order, orderUrl, "processing");
  if (json["status"] !== "valid") {
    throw new OrderFailed(
      `the order is ${String(json["status"])}: ${describeProblem(json["error"])}`,
    );
  }
  const { text } = await session.post(urlIn(json, "certificate"));
  const keyPem = KeyObject.from(keys.privateKey).export({ type: "pkcs8", format: "pem" });
  return checked(text, keyPem, order.names);
}

async function poll(
  session: AcmeSession,
  { signal }: CertificateOrder,
  url: string,
  unfinished: string,
): Promise<AcmeAnswer> {
  for (;;) {
    const answer = await session.post(url);
    if (answer.json["status"] !== unfinished) return answer;
    const pauseMs = Math.min(answer.retryAfterMs ?? pollMs, longestPollMs);
    await delay(pauseMs, undefined, { signal }).catch(() => {
      throw new OrderFailed("the authority took too long");
    });
  }
}

function checked(text: string, keyPem: string, names: readonly string[]): IssuedCertificate {
  const chain = parseChain(text);
  const [leaf] = chain;
  const fits =
    leaf?.checkPrivateKey(createPrivateKey(keyPem)) === true &&
    names.every((name) => leaf.checkHost(name, { subject: "never" }) !== undefined);
  if (leaf === undefined || !fits) throw new OrderFailed("the authority sent another certificate");
  return {
    certificatePem: chain.map(String).join(""),
    keyPem,
    fingerprint256: leaf.fingerprint256,
    startsAt: leaf.validFromDate.getTime(),
    expiresAt: leaf.validToDate.getTime(),
  };
}

function parseChain(text: string): X509Certificate[] {
  try {
    return Array.from(text.matchAll(certificateBlock), ([block]) => new X509Certificate(block));
  } catch {
    throw new OrderFailed("the authority sent a damaged certificate");
  }
}

function listIn({ json }: AcmeAnswer, name: string): readonly unknown[] {
  const list = json[name];
  if (!Array.isArray(list)) throw new OrderFailed(`the authority gave no valid ${name}`);
  return list as unknown[];
}
