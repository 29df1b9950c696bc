import type { ErrorCode } from "@ironlease/client";

/** What to do about a refusal, besides what the service says itself. Commands are for copying. */
export const adviceOnCode: Readonly<Partial<Record<ErrorCode, readonly string[]>>> = {
  authentication_required: ["ironlease login"],
  session_invalid: ["ironlease login"],
  csrf_failed: ["ironlease login"],
  invalid_credentials: ["A lost password is replaced with the recovery code:", "ironlease recover"],
  insufficient_scope: ["ironlease key create NAME --scope read|servers|billing"],
  insufficient_balance: ["ironlease deposit create BTC"],
  capacity_exhausted: ["What is free where:", "ironlease catalogue list"],
  server_not_ready: ["Its state:", "ironlease server list"],
  idempotency_conflict: [
    "If you sent this request before, it is recorded:",
    "ironlease order list",
    "ironlease ledger list",
  ],
};

/** The command that shows what an operation of the client would. */
export const commandOfCheck: Readonly<Record<string, string>> = {
  signIn: "ironlease login",
  listSessions: "ironlease session list",
  listApiKeys: "ironlease key list",
  listSshKeys: "ironlease ssh-key list",
  listOrders: "ironlease order list",
  readServer: "ironlease server list",
  listAssignments: "ironlease network list",
  listDepositAddresses: "ironlease api GET /api/v1/deposit-addresses",
  readLedger: "ironlease ledger list",
};

/** What else is lost when the answer to a change is, where that is more than the answer. */
export const lostWithAnswer: Readonly<Record<string, string>> = {
  register:
    "If you can sign in, the account is there; its recovery code was in the answer, and nobody has seen it.",
  recover:
    "If you can sign in with the new password, it was done; the new recovery code was in the answer, and nobody has seen it.",
  changePassword: "If you can sign in with the new password, it was done.",
  createApiKey:
    "If it is in the list, its value was in the answer, and nobody has seen it: revoke it and create another.",
};

/** Which option or argument of the command line a field of the service comes from. */
export const optionOfField: Readonly<Record<string, string>> = {
  configId: "--config",
  regionId: "--region",
  osId: "--os",
  sshPublicKey: "--ssh-key",
  quantity: "--quantity",
  destination: "--to",
  usd: "--usd",
  isoUrl: "URL",
  publicKey: "FILE",
  expiresAt: "--expires",
};
