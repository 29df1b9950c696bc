import { createHash, randomBytes } from "node:crypto";

export interface Login {
  readonly user: string;
  readonly password: string;
}

/** A server's challenge (RFC 7616). Monero's servers bind its nonce to the connection. */
export interface Challenge {
  readonly realm: string;
  readonly nonce: string;
}

const parameter = (header: string, name: string): string | undefined =>
  new RegExp(`\\b${name}="([^"]*)"`).exec(header)?.[1];

/** Undefined unless the header has an MD5 challenge with quality of protection "auth". */
export function readChallenge(headers: readonly string[]): Challenge | undefined {
  for (const header of headers) {
    const [realm, nonce] = [parameter(header, "realm"), parameter(header, "nonce")];
    const isMd5 = /\balgorithm="?MD5"?(?:,|$)/i.test(header) || !/\balgorithm=/i.test(header);
    if (/^digest /i.test(header) && isMd5 && realm !== undefined && nonce !== undefined) {
      return { realm, nonce };
    }
  }
  return undefined;
}

/** The value of the Authorization header for the count-th request with this challenge. */
export function authorizationOf(
  { user, password }: Login,
  { realm, nonce }: Challenge,
  request: { readonly method: string; readonly path: string; readonly count: number },
): string {
  const { method, path } = request;
  const count = request.count.toString(16).padStart(8, "0");
  const clientNonce = randomBytes(8).toString("hex");
  const secret = md5(`${user}:${realm}:${password}`);
  const subject = md5(`${method}:${path}`);
  const response = md5(`${secret}:${nonce}:${count}:${clientNonce}:auth:${subject}`);
  return [
    `Digest username="${user}", realm="${realm}", nonce="${nonce}", uri="${path}"`,
    `algorithm=MD5, response="${response}", qop=auth, nc=${count}, cnonce="${clientNonce}"`,
  ].join(", ");
}

/** Monero's servers offer no stronger digest. */
function md5(text: string): string {
  return createHash("md5").update(text).digest("hex");
}
