/**
 * Keeps what the service must be able to read again, and not only to compare, from whoever has got
 * hold of the database or of a copy of it alone. A place is whose secret it is and what for: what was
 * sealed for one place opens in no other.
 */
export interface Sealing {
  /** Names the key that seals now. The key is made where there is none yet. */
  keyId(): Promise<string>;
  seal(text: string, place: string): Promise<string>;
  /** What was stored before there were seals is given back as it is. */
  open(stored: string, place: string): Promise<string>;
  /** False for what another key, or none, has sealed: that should be sealed anew. */
  isCurrent(stored: string): Promise<boolean>;
}

/** What was sealed elsewhere, or before the key was lost. */
export class UnknownSealingKey extends Error {
  override readonly name = "UnknownSealingKey";
  readonly keyId: string;

  constructor(keyId: string) {
    super(`a secret is sealed with the key ${keyId}, which is not in the key file`);
    this.keyId = keyId;
  }
}
