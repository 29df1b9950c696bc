import type { ErrorCode } from "@ironlease/client";

/** What to do about an error of the service. Commands can be copied. KEY stands for the idempotency key. */
export const adviceOnCode: Readonly<Partial<Record<ErrorCode, readonly string[]>>> = {
  authentication_required: ["ironlease login"],
  session_invalid: ["ironlease login"],
  csrf_failed: ["ironlease login"],
  invalid_credentials: ["To reset a lost password:", "ironlease recover"],
  second_factor_required: [
    "To sign in with the code of your authenticator app:",
    "ironlease login --totp CODE",
  ],
  insufficient_scope: ["ironlease key create NAME --scope read|servers|billing"],
  insufficient_balance: ["ironlease deposit create BTC"],
  capacity_exhausted: ["To see what is available:", "ironlease catalogue list"],
  account_not_empty: ["To withdraw the balance:", "ironlease withdraw"],
  server_not_ready: ["To see its state:", "ironlease server list"],
  destination_not_allowed: [
    "To see the saved addresses, and when each becomes usable:",
    "ironlease withdrawal-address list",
  ],
  idempotency_conflict: ["To see what the key was used for:", "ironlease idempotency-key show KEY"],
};

/** The command that shows the records of an operation. */
export const commandOfCheck: Readonly<Record<string, string>> = {
  signIn: "ironlease login",
  readAccount: "ironlease whoami",
  listSessions: "ironlease session list",
  listApiKeys: "ironlease key list",
  listSshKeys: "ironlease ssh-key list",
  readContact: "ironlease contact show",
  listWithdrawalAddresses: "ironlease withdrawal-address list",
  readWithdrawalLock: "ironlease withdrawal-lock show",
  listOrders: "ironlease order list",
  readServer: "ironlease server list",
  listAssignments: "ironlease network list",
  listDepositAddresses: "ironlease api GET /api/v1/deposit-addresses",
  readLedger: "ironlease ledger list",
  listThreads: "ironlease message list",
  readThread: "ironlease message list",
  listWebhooks: "ironlease webhook list",
  listDeliveries: "ironlease webhook list",
};

/** What is lost with the response to a change. */
export const lostWithAnswer: Readonly<Record<string, string>> = {
  register: "If you can sign in, the account exists, but its recovery code is lost.",
  recover:
    "If you can sign in with the new password, it was reset, but the new recovery code is lost.",
  closeAccount:
    "If the sign-in is refused, the account is closed. If it works, the account is still open.",
  changePassword: "If you can sign in with the new password, it was changed.",
  beginSecondFactor: "If a secret was issued, it is lost: start again.",
  confirmSecondFactor:
    "If the second factor is on, its recovery codes are lost: remove it and set it up again.",
  createApiKey: "If the key is in the list, its value is lost: revoke it and create another.",
  createWebhook: "If the webhook is in the list, its secret is lost: replace it.",
  rotateWebhookSecret: "If the secret was replaced, the new one is lost: replace it again.",
};

/** The option or argument that sets a field. */
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
  email: "EMAIL",
  code: "CODE",
  subject: "--subject",
  text: "TEXT",
  url: "URL",
  events: "--events",
  label: "--label",
  allowedNetworks: "--networks",
};
