import type { Scope } from "@ironlease/client";

export const scopes: Readonly<Record<Scope, { readonly label: string; readonly detail: string }>> =
  {
    read: { label: "read", detail: "Servers and orders" },
    servers: { label: "servers", detail: "Servers and network addresses" },
    billing: { label: "billing", detail: "Balance, ledger and statements" },
  };

export const scopeOrder: readonly Scope[] = ["read", "servers", "billing"];
