/** Issues certificates that browsers trust (ACME, RFC 8555). */
export interface CertificateAuthority {
  /** Proves control of every name over HTTP. Throws `OrderFailed`. */
  order(order: CertificateOrder): Promise<IssuedCertificate>;
}

export interface CertificateOrder {
  readonly names: readonly string[];
  /** The key that identifies us to the authority, as PEM. */
  readonly accountKeyPem: string;
  /** Called before the authority fetches `/.well-known/acme-challenge/TOKEN` from a name. */
  readonly answerChallenge: (token: string, answer: string) => Promise<void>;
  readonly signal: AbortSignal;
}

/** `certificatePem` starts with the leaf, followed by its issuers. */
export interface IssuedCertificate {
  readonly certificatePem: string;
  readonly keyPem: string;
  readonly fingerprint256: string;
  readonly startsAt: number;
  readonly expiresAt: number;
}

/** No certificate was issued. The message has the authority's reason and no secret. */
export class OrderFailed extends Error {
  override readonly name = "OrderFailed";
  /** How long the authority wants us to wait. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, retryAfterMs?: number, options?: ErrorOptions) {
    super(message, options);
    this.retryAfterMs = retryAfterMs;
  }
}
