import type { SavedSession } from "@ironlease/client";

/** Whom to believe to be the service; with neither, the authorities that the system trusts. */
export interface Trust {
  /** An absolute path. */
  readonly caFile?: string | undefined;
  readonly fingerprint256?: string | undefined;
}

/** A service that was signed in to, and the sign-in. */
export interface Profile extends Trust {
  readonly url: string;
  readonly session?: SavedSession | undefined;
}

export interface Profiles {
  /** The one that is used when none is named. */
  readonly current?: string | undefined;
  readonly profiles: Readonly<Record<string, Profile>>;
}

/** A fingerprint as the preview prints it, or plain: 64 hexadecimal digits, with or without colons. */
export function readFingerprint(text: string): string | undefined {
  const plain = text.trim().replaceAll(":", "").toUpperCase();
  return /^[0-9A-F]{64}$/.test(plain) ? plain.replaceAll(/(..)(?!$)/g, "$1:") : undefined;
}

/** What a profile may be called: something that is easy to type. */
export const profileName = /^[a-z0-9][\w.:-]{0,63}$/i;
