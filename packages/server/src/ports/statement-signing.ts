/** Signs statements with the service's key. The private key never leaves the adapter. */
export interface StatementSigning {
  /** The public key that signs now. It is created if there is none. */
  publicKey(): Promise<StatementPublicKey>;
  /** An Ed25519 signature in base64url. */
  sign(text: string): Promise<string>;
}

export interface StatementPublicKey {
  readonly keyId: string;
  /** The public key in base64url. */
  readonly x: string;
}
