import { createArgon2 } from "../../packages/server/src/adapters/system/argon2.ts";
import type { PasswordHash } from "../../packages/server/src/ports/password-hash.ts";

/** The real hashing, and a count of how often it was asked. */
export function countingPasswords(): PasswordHash & { verified: number } {
  const real = createArgon2();
  return {
    verified: 0,
    hash: (password) => real.hash(password),
    verify(password, stored) {
      this.verified += 1;
      return real.verify(password, stored);
    },
  };
}
