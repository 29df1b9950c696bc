import type { SavedSession } from "@ironlease/client";

/** Which certificate to trust. With neither, the CAs that the system trusts. */
export interface Trust {
  /** An absolute path. */
  readonly caFile?: string | undefined;
  readonly fingerprint256?: string | undefined;
}

/** A service and the session there. */
export interface Profile extends Trust {
  readonly url: string;
  readonly session?: SavedSession | undefined;
}

export interface Profiles {
  /** The default profile. */
  readonly current?: string | undefined;
  readonly profiles: Readonly<Record<string, Profile>>;
}

/** Reads 64 hexadecimal digits, with or without colons. */
export function readFingerprint(text: string): string | undefined {
  const plain = text.trim().replaceAll(":", "").toUpperCase();
  return /^[0-9A-F]{64}$/.test(plain) ? plain.replaceAll(/(..)(?!$)/g, "$1:") : undefined;
}

/** Names that are easy to type. */
export const profileName = /^[a-z0-9][\w.:-]{0,63}$/i;
