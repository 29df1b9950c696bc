/**
 * Encrypts secrets that the service must read again, so that the database alone does not reveal them. The context
 * names the owner and purpose of a secret: text sealed in one context does not open in another.
 */
export interface Sealing {
  /** The id of the current key, which is created if there is none. */
  keyId(): Promise<string>;
  seal(text: string, context: string): Promise<string>;
  /** Returns unsealed text of earlier versions unchanged. */
  open(stored: string, context: string): Promise<string>;
  /** False for text sealed with another key or not at all, which should be sealed again. */
  isCurrent(stored: string): Promise<boolean>;
}

/** The text was sealed with a key that the key file does not have. */
export class UnknownSealingKey extends Error {
  override readonly name = "UnknownSealingKey";
  readonly keyId: string;

  constructor(keyId: string) {
    super(`a secret is sealed with the key ${keyId}, which is not in the key file`);
    this.keyId = keyId;
  }
}
