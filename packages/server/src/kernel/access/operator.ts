import type { OperatorRole } from "#ports/schema.ts";
import { ok, refuse, type Result } from "#ports/result.ts";
import type { Client } from "#kernel/core.ts";

/** An operator who is signed in. */
export interface Operator {
  readonly operatorId: string;
  readonly username: string;
  readonly role: OperatorRole;
}

/** The operator who does something, and from where: what the audit wants to know. */
export interface OperatorCall {
  readonly operator: Operator;
  readonly client: Client;
}

const rank: Readonly<Record<OperatorRole, number>> = { support: 0, finance: 1, admin: 2 };

/** Every role may do what the ones before it may. */
export function hasRole(operator: Operator, needed: OperatorRole): boolean {
  return rank[operator.role] >= rank[needed];
}

export function requireRole(operator: Operator, needed: OperatorRole): Result<void> {
  return hasRole(operator, needed) ? ok() : refuse("role_forbidden");
}
