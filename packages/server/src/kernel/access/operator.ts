import type { OperatorRole } from "#ports/schema.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";

/** A signed-in operator. */
export interface Operator {
  readonly operatorId: string;
  readonly username: string;
  readonly role: OperatorRole;
}

const rank: Readonly<Record<OperatorRole, number>> = { support: 0, finance: 1, admin: 2 };

/** Each role includes the rights of the roles below it. */
export function hasRole(operator: Operator, needed: OperatorRole): boolean {
  return rank[operator.role] >= rank[needed];
}

export function requireRole(operator: Operator, needed: OperatorRole): Result<void> {
  return hasRole(operator, needed) ? ok() : refuse("role_forbidden");
}
