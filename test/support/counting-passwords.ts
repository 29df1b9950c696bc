import { createArgon2 } from "#server/adapters/system/argon2.ts";
import type { PasswordHash } from "#server/ports/password-hash.ts";

/** The real hashing, and a count of how often it was asked. */
export function countingPasswords(): PasswordHash & { hashed: number; verified: number } {
  const real = createArgon2();
  return {
    hashed: 0,
    verified: 0,
    hash(...asked) {
      this.hashed += 1;
      return real.hash(...asked);
    },
    verify(...asked) {
      this.verified += 1;
      return real.verify(...asked);
    },
  };
}
