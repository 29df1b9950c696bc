import type { WorkItem } from "@ironlease/client/operator";
import { useQuery } from "@tanstack/react-query";
import { reads } from "./reads.ts";
import { isRoleAtLeast, requiredRoles, workRoles, type Restricted, type Role } from "./roles.ts";

/** What the signed-in operator may do. Nothing, until the operator is loaded. */
export function usePermissions() {
  const { data: operator } = useQuery(reads.operator);
  const has = (least: Role) => operator !== undefined && isRoleAtLeast(operator.role, least);
  return {
    username: operator?.username,
    role: operator?.role,
    can: (operation: Restricted) => has(requiredRoles[operation]),
    canWork: (kind: WorkItem["kind"]) => has(workRoles[kind]),
    requiredRoleForWork: (kind: WorkItem["kind"]) => workRoles[kind],
  };
}
