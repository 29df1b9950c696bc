import type { WorkItem } from "@ironlease/client/operator";
import { useQuery } from "@tanstack/react-query";
import { reads } from "./reads.ts";
import { isRoleAtLeast, leastRoles, workRoles, type Restricted, type Role } from "./roles.ts";

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
