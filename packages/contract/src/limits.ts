/** Limits on everything a client can send or create. */
export const limits = {
  bodyBytes: 64 * 1024,
  /** Withdrawals in one payout. */
  payoutWithdrawals: 100,
  payoutWorkIdLength: 40,
  signedPayoutLength: 1_000_000,
  operatorImportBytes: 4 * 1024 * 1024,
  urlLength: 4_096,
  headerBytes: 16 * 1024,
  fieldErrors: 20,
  username: { min: 3, max: 32 },
  password: { min: 10, max: 256 },
  recoveryCode: { max: 64 },
  keyName: { min: 1, max: 64 },
  sshPublicKey: { maxBytes: 8 * 1024 },
  idempotencyKey: { min: 8, max: 100 },
  sessionsPerAccount: 20,
  passkeysPerOwner: 20,
  /** Characters in base64url. */
  passkey: {
    /** 1023 bytes, as WebAuthn says. */
    credentialId: 1_364,
    clientData: 4_096,
    attestation: 16_384,
    authenticatorData: 4_096,
    signature: 2_048,
    userHandle: 128,
  },
  apiKeysPerAccount: 50,
  sshKeysPerAccount: 50,
  userAgentLength: 256,
  quantity: { min: 1, max: 20 },
  withdrawalCents: { min: 100, max: 10_000_000 },
  /** The largest DDoS quote per term. */
  quoteCents: 10_000_000,
  isoUrlLength: 2_048,
  serverLabelLength: 64,
  hostNameLength: 253,
  listLength: 100,
  /** Public keys of statements that are published. */
  statementKeys: 1_000,
  depositAddressesPerAccount: 1_000,
  catalogueId: { max: 64 },
  /** Later prices of one offer. */
  scheduledPrices: 12,
  operatorSessions: 20,
  reason: { min: 1, max: 500 },
  transactionIdLength: 256,
  assetTag: { min: 1, max: 64 },
  machinesAtOnce: 5_000,
  machineRecord: {
    rack: { max: 64 },
    unit: { min: 1, max: 100 },
    serialNumber: { max: 64 },
    macAddresses: 16,
    switchPort: { max: 128 },
    notes: 2_000,
  },
  searchLength: 128,
  threadSubject: { min: 1, max: 200 },
  messageBytes: 8 * 1024,
  /** Holds a message of full length that is encrypted to the longest RSA key. */
  sealedTextLength: 16 * 1024,
  openThreadsPerAccount: 20,
  savedReplyName: { min: 1, max: 64 },
  savedReplies: 100,
  checklistLines: 30,
  checklistLine: { min: 1, max: 200 },
  accountNote: { min: 1, max: 2_000 },
  /** Results of one kind in an operator's search. */
  searchResults: 5,
  noticeTitle: { min: 1, max: 200 },
  noticeText: { min: 1, max: 4_000 },
  /** Regions, and as many servers, that one notice names. */
  noticeTargets: 100,
  currentNotices: 100,
  webhooksPerAccount: 10,
  webhookUrlLength: 2_048,
  emailLength: 254,
  /** Networks that one API key or operator is bound to. */
  allowedNetworks: 20,
  withdrawalAddressesPerAccount: 50,
  withdrawalLabelLength: 64,
} as const;

/** Default rate limits. They can be configured. */
export const rateLimits = {
  signInPerAddressAndUsername: { count: 5, windowSeconds: 15 * 60 },
  signInPerAddress: { count: 30, windowSeconds: 15 * 60 },
  registrationPerAddress: { count: 20, windowSeconds: 60 * 60 },
  recoveryPerAddressAndUsername: { count: 5, windowSeconds: 60 * 60 },
  recoveryPerAddress: { count: 30, windowSeconds: 60 * 60 },
  secondFactorPerOperator: { count: 10, windowSeconds: 15 * 60 },
  secondFactorPerAccount: { count: 10, windowSeconds: 15 * 60 },
  messagesPerAccount: { count: 100, windowSeconds: 24 * 60 * 60 },
  exportsPerAccount: { count: 10, windowSeconds: 60 * 60 },
  contactCodes: { count: 5, windowSeconds: 60 * 60 },
  contactConfirmations: { count: 10, windowSeconds: 60 * 60 },
} as const;

export type RateLimitName = keyof typeof rateLimits;
