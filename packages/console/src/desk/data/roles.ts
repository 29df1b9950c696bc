import type { ReadOperatorAnswer, WorkItem } from "@ironlease/client/operator";

export type Role = ReadOperatorAnswer["role"];

const ranks: Readonly<Record<Role, number>> = { support: 0, finance: 1, admin: 2 };

/** Operations that need more than the support role. A test compares this table with the contract. */
export const requiredRoles = {
  adjustBalance: "finance",
  readRevenue: "finance",
  readRecurring: "finance",
  readChurn: "finance",
  readBalanceAges: "finance",
  exportLedger: "finance",
  setRate: "finance",
  simulatePayment: "finance",
  preparePayout: "finance",
  acceptSignedPayout: "finance",
  broadcastPayout: "finance",
  bumpPayout: "finance",
  cancelPayout: "finance",
  setChecklist: "admin",
  setController: "admin",
  removeController: "admin",
  replaceCatalogue: "admin",
  listOperators: "admin",
  addOperator: "admin",
  changeOperator: "admin",
  resetOperator: "admin",
  listOperatorSessions: "admin",
  endOperatorSession: "admin",
  freezeAccount: "admin",
  unfreezeAccount: "admin",
  suspendServer: "admin",
  resumeServer: "admin",
} as const satisfies Readonly<Record<string, Role>>;

export type Restricted = keyof typeof requiredRoles;

/** The lowest role for each kind of work. */
export const workRoles: Readonly<Record<WorkItem["kind"], Role>> = {
  PROVISION: "support",
  SERVER_ACTION: "support",
  WITHDRAWAL: "finance",
  DDOS: "support",
  RECLAIM: "support",
};

export function isRoleAtLeast(role: Role, least: Role): boolean {
  return ranks[role] >= ranks[least];
}
