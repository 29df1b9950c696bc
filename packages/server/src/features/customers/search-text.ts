import { assignedAddress } from "#kernel/assigned-address.ts";

/** Tables whose rows belong to an account, by id prefix. */
const tablesByPrefix = {
  srv: "servers",
  ord: "orders",
  dep: "deposits",
  dpa: "deposit_addresses",
  wdr: "withdrawals",
  act: "actions",
  wrk: "work",
  net: "assignments",
  led: "journal",
} as const;

/** What a search text may refer to, judged by its form. */
export type SearchFor =
  | { readonly kind: "everything" }
  | { readonly kind: "account"; readonly id: string }
  | { readonly kind: "row"; readonly table: OwnedTable; readonly id: string }
  /** In the form in which assignments are stored: the address, or the first address of its prefix. */
  | { readonly kind: "assignment"; readonly address: string }
  /** A deposit address, a transaction id, or part of a username. */
  | { readonly kind: "text"; readonly text: string; readonly partOfUsername: string | undefined };

type OwnedTable = (typeof tablesByPrefix)[keyof typeof tablesByPrefix];

const identifier = /^([a-z]{3})_[0-7][0-9a-z]{25}$/;
const usernamePart = /^[a-z0-9_-]{1,32}$/i;

export function readSearch(query: string): SearchFor {
  const text = query.trim();
  if (text === "") return { kind: "everything" };
  const [, prefix = ""] = identifier.exec(text) ?? [];
  if (prefix === "acc") return { kind: "account", id: text };
  const table = Object.entries(tablesByPrefix).find(([known]) => known === prefix)?.[1];
  if (table !== undefined) return { kind: "row", table, id: text };
  const address = assignedAddress(text);
  if (address !== undefined) return { kind: "assignment", address };
  const partOfUsername = usernamePart.test(text) ? text.toLowerCase() : undefined;
  return { kind: "text", text, partOfUsername };
}
