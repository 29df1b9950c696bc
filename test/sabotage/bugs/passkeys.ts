import type { PlantedBug } from "../planted-bug.ts";

const server = "packages/server/src";
const webauthn = `${server}/adapters/webauthn/webauthn.ts`;
const challenges = `${server}/kernel/passkeys/challenges.ts`;
const customers = ["test/passkeys.test.ts"];
const operators = ["test/operator-passkeys.test.ts"];

/** Passkeys of customers and operators. */
export const passkeyBugs: readonly PlantedBug[] = [
  {
    name: "passkey-origin-not-checked",
    thought: "The authenticator signs only for our host name anyway.",
    file: webauthn,
    find: "expectedOrigin: [...relyingParty.origins],\n      expectedRPID: relyingParty.id,\n      requireUserVerification: true,\n      // The caller",
    replace:
      'expectedOrigin: JSON.parse(Buffer.from(answer.response.clientDataJSON, "base64url").toString()).origin,\n      expectedRPID: relyingParty.id,\n      requireUserVerification: true,\n      // The caller',
    tests: customers,
  },
  {
    name: "passkey-user-verification-not-required",
    thought: "Touching the key is enough.",
    file: webauthn,
    find: "requireUserVerification: true,\n      // The caller",
    replace: "requireUserVerification: false,\n      // The caller",
    tests: customers,
  },
  {
    name: "passkey-challenge-reusable",
    thought: "The sweep deletes challenges.",
    file: challenges,
    find: '.deleteFrom("passkey_challenges")\n      .where("challenge_hash", "=", hashSecret(challenge))\n      .where("purpose", "=", textOf(purpose))\n      .where("expires_at", ">", core.clock.now())\n      .executeTakeFirst();\n    return ok(taken.numDeletedRows === 1n',
    replace:
      '.selectFrom("passkey_challenges")\n      .selectAll()\n      .where("challenge_hash", "=", hashSecret(challenge))\n      .where("purpose", "=", textOf(purpose))\n      .where("expires_at", ">", core.clock.now())\n      .executeTakeFirst();\n    return ok(taken !== undefined',
    tests: customers,
  },
  {
    name: "passkey-challenge-never-expires",
    thought: "It works once, so its age does not matter.",
    file: challenges,
    find: '      .where("expires_at", ">", core.clock.now())\n',
    replace: "",
    tests: customers,
  },
  {
    name: "passkey-challenge-of-the-other-side",
    thought: "A challenge is a random number.",
    file: challenges,
    find: "`sign in ${purpose.signInTo}`",
    replace: '"sign in"',
    tests: operators,
  },
  {
    name: "passkey-counter-ignored",
    thought: "Many authenticators do not count.",
    file: `${server}/kernel/passkeys/passkeys.ts`,
    find: '    .where("counter", counter === 0 ? "=" : "<", counter)\n',
    replace: "",
    tests: customers,
  },
  {
    name: "passkey-user-handle-not-compared",
    thought: "The credential id names the owner.",
    file: `${server}/features/passkeys/prove-passkey.ts`,
    find: "passkey === undefined || userHandle !== userHandleOf(passkey.owner)",
    replace: "passkey === undefined",
    tests: customers,
  },
  {
    name: "recovery-keeps-passkeys",
    thought: "Only the password was lost.",
    file: `${server}/features/accounts/recover-account.ts`,
    find: '    await deletePasskeys(tx, { side: "account", id: account.id });\n',
    replace: "",
    tests: customers,
  },
  {
    name: "operator-password-beside-passkey",
    thought: "The password is right.",
    file: `${server}/features/operators/sign-in-operator.ts`,
    find: "if (needsSecondFactor(core, operator.role)) {",
    replace: "if (needsSecondFactor(core, operator.role) && operator.disabled_at !== null) {",
    tests: operators,
  },
];
