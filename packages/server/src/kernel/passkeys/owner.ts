/** Customers and operators have the same operations, each on their own listener. */
export type Side = "account" | "operator";

/** Whom a passkey signs in. */
export interface PasskeyOwner {
  readonly side: Side;
  readonly id: string;
}

/** The column of the owner's id. */
export function ownerColumn(side: Side): "account_id" | "operator_id" {
  return side === "account" ? "account_id" : "operator_id";
}

/** What authenticators store with the passkey and return at sign-in. Ids of accounts and operators never coincide. */
export function userHandleOf({ id }: PasskeyOwner): string {
  return Buffer.from(id).toString("base64url");
}
