import { isChange, operations, type Operation, type OperationId } from "@ironlease/contract";

const password = { currentPassword: "a long pass phrase", newPassword: "another long pass phrase" };
const because = { reason: "a test" };
const inAnHour = new Date(Date.now() + 3_600_000).toISOString();

const newPasskey = {
  name: "specimen",
  credential: {
    ...{ id: "c3BlY2ltZW4", rawId: "c3BlY2ltZW4", type: "public-key" },
    response: { clientDataJSON: "e30", attestationObject: "oA" },
  },
};

/** A valid body for every change that takes one and needs a session. */
const bodies: Partial<Record<OperationId, object>> = {
  changePassword: password,
  confirmSecondFactor: { code: "123456" },
  finishPasskey: newPasskey,
  finishOperatorPasskey: newPasskey,
  closeAccount: { password: "not the right pass phrase" },
  createApiKey: { name: "specimen", scope: "read" },
  addSshKey: {
    name: "specimen",
    publicKey: `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA${"A".repeat(42)}`,
  },
  setContact: { email: "ada@example.com" },
  confirmContact: { code: "4GXKD-92MTN" },
  placeOrder: {
    configId: "metal-s",
    regionId: "fra",
    osId: "debian-13",
    term: "monthly",
    quantity: 1,
  },
  requestAction: { action: "reboot" },
  setDdosMode: { mode: "ADVANCED" },
  acceptQuote: { usd: 50 },
  setRenewal: { autoRenew: false },
  setLabel: { label: "Shop database" },
  setReverseDns: { ptr: "host.example.com" },
  createDepositAddress: { asset: "BTC" },
  requestWithdrawal: {
    asset: "ETH",
    destination: "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed",
    usd: 25,
  },
  addWithdrawalAddress: {
    asset: "ETH",
    destination: "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed",
    label: "specimen",
  },
  setWithdrawalLock: { locked: false },
  openThread: { subject: "Disk", text: "Please check it." },
  sendMessage: { text: "Any news?" },
  createWebhook: { url: "https://hooks.example.com/ironlease" },
  changeOperatorPassword: password,
  confirmTotp: { code: "123456" },
  addOperator: { username: "specimen", role: "support" },
  changeOperator: { role: "finance" },
  offerQuote: { quoteUsd: 50 },
  tickWork: { line: "See the system start", ticked: true },
  setChecklist: { lines: ["Compare the asset tag on the machine"] },
  completeWork: {},
  runWork: {},
  failWork: because,
  writeToCustomer: { accountId: "acc_00000000000000000000000000", text: "Hello." },
  answerThread: { text: "Done." },
  assignThread: { operator: null },
  assignWork: { operator: null },
  addAccountNote: { text: "Wants invoices by post." },
  addSavedReply: { name: "specimen", text: "Hello." },
  changeSavedReply: { name: "specimen 2", text: "Hello." },
  publishNotice: {
    kind: "MAINTENANCE",
    title: "Power maintenance",
    text: "Servers stay on.",
    startsAt: new Date().toISOString(),
    endsAt: inAnHour,
  },
  addMachines: { assetTag: "specimen", configId: "metal-s", regionId: "fra" },
  changeMachine: { state: "RETIRED" },
  setController: {
    driver: "ipmi",
    address: "127.0.0.1:623",
    username: "ironlease",
    credential: "a password",
  },
  addSubnet: { regionId: "fra", cidr: "198.51.100.0/24" },
  changeSubnet: { vlan: 120 },
  replaceCatalogue: { regions: [], operatingSystems: [], configurations: [], discounts: [] },
  adjustBalance: { usd: 5, ...because },
  freezeAccount: because,
  unfreezeAccount: because,
  suspendServer: because,
  resumeServer: because,
  setRate: { usd: "80.00", validUntil: inAnHour },
  preparePayout: { workIds: ["wrk_01kfxq8n3ve7wt5c2m9hzr4d6y"] },
  acceptSignedPayout: { signed: "cHNidP8=" },
  cancelPayout: because,
  simulatePayment: { address: "sim-btc-specimen", amount: "0.1" },
};

/** The changes that need a session or an operator, each with a valid body. */
export const guardedChanges: readonly (readonly [OperationId, Operation, object])[] =
  Object.entries<Operation>(operations)
    .filter(([, operation]) => isChange(operation) && operation.access.kind !== "public")
    .map(([name, operation]) => {
      const id = name as OperationId;
      const body = operation.body === undefined ? {} : bodies[id];
      if (body === undefined) throw new Error(`${id} needs a body in sample-bodies.ts`);
      return [id, operation, body];
    });
