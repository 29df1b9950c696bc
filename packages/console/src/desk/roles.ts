import type { ReadOperatorAnswer, WorkItem } from "@ironlease/client/operator";
import { useQuery } from "@tanstack/react-query";
import { reads } from "./reads.ts";

export type Role = ReadOperatorAnswer["role"];

const ranks: Readonly<Record<Role, number>> = { support: 0, finance: 1, admin: 2 };

/** The least role for what not every operator may do. A test holds it against the contract. */
export const leastRoles = {
  adjustBalance: "finance",
  simulatePayment: "finance",
  replaceCatalogue: "admin",
  freezeAccount: "admin",
  unfreezeAccount: "admin",
  suspendServer: "admin",
  resumeServer: "admin",
} as const satisfies Readonly<Record<string, Role>>;

export type Restricted = keyof typeof leastRoles;

/** The least role that may do each kind of work. */
const workRoles: Readonly<Record<WorkItem["kind"], Role>> = {
  PROVISION: "support",
  SERVER_ACTION: "support",
  WITHDRAWAL: "finance",
  DDOS: "support",
  RECLAIM: "support",
};

export function isRoleAtLeast(role: Role, least: Role): boolean {
  return ranks[role] >= ranks[least];
}

/** What whoever is signed in may do. Nobody may do anything before the service has said who it is. */
export function useMay() {
  const { data: operator } = useQuery(reads.operator);
  const has = (least: Role) => operator !== undefined && isRoleAtLeast(operator.role, least);
  return {
    username: operator?.username,
    role: operator?.role,
    may: (operation: Restricted) => has(leastRoles[operation]),
    mayWork: (kind: WorkItem["kind"]) => has(workRoles[kind]),
    leastForWork: (kind: WorkItem["kind"]) => workRoles[kind],
  };
}
