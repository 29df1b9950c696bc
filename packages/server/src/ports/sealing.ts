/**
 * Encrypts secrets that the service must read again, so that the database alone does not reveal them. A place
 * names the owner and purpose of a secret: a text sealed for one place does not open for another.
 */
export interface Sealing {
  /** The id of the current key, which is created if there is none. */
  keyId(): Promise<string>;
  seal(text: string, place: string): Promise<string>;
  /** Returns unsealed text of earlier versions unchanged. */
  open(stored: string, place: string): Promise<string>;
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
