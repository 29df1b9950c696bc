import type { Operation } from "./operation.ts";

/** The two cookies of a session. */
export interface CookieNames {
  readonly session: string;
  readonly csrf: string;
}

export const cookieNames: Readonly<Record<Operation["listener"], CookieNames>> = {
  account: { session: "__Host-svc-session", csrf: "__Host-svc-csrf" },
  operator: { session: "__Host-svc-operator-session", csrf: "__Host-svc-operator-csrf" },
};
