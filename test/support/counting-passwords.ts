import { createArgon2 } from "#server/adapters/system/argon2.ts";
import { testCost } from "./service.ts";
import type { PasswordHash } from "#server/ports/password-hash.ts";

/** Real password hashing that counts its calls. */
export function countingPasswords(): PasswordHash & { hashed: number; verified: number } {
  const real = createArgon2(testCost);
  return {
    hashed: 0,
    verified: 0,
    hash(...args) {
      this.hashed += 1;
      return real.hash(...args);
    },
    verify(...args) {
      this.verified += 1;
      return real.verify(...args);
    },
  };
}
