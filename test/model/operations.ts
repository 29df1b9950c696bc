/** What a run is made of. Indexes are small, so that operations get in one another's way. */
interface OfAccount {
  readonly account: number;
}
interface OfServer extends OfAccount {
  readonly server: number;
}

export type Item =
  | ({ readonly of: "provision" | "ddos" | "reclaim" } & OfServer)
  | ({ readonly of: "withdrawal" | "action"; readonly index: number } & OfAccount);

export const verbs = ["claim", "release", "complete", "fail"] as const;

export type Operation =
  | ({
      readonly kind: "pay";
      readonly cents: number;
      readonly payment: number;
      readonly confirmations: number;
    } & OfAccount)
  | ({ readonly kind: "order"; readonly quantity: number; readonly key: number } & OfAccount)
  | ({ readonly kind: "withdraw"; readonly cents: number; readonly key: number } & OfAccount)
  | ({
      readonly kind: "act";
      readonly action: "reboot" | "kvm";
      readonly key: number;
    } & OfServer)
  | ({
      readonly kind: "ddos";
      readonly mode: "BASELINE" | "ADVANCED";
      readonly key: number;
    } & OfServer)
  | ({ readonly kind: "renewal"; readonly autoRenew: boolean } & OfServer)
  | {
      readonly kind: "desk";
      readonly operator: number;
      readonly verb: (typeof verbs)[number];
      readonly item: Item;
    }
  | ({ readonly kind: "suspend" | "resume" } & OfServer)
  | ({
      readonly kind: "adjust";
      readonly operator: number;
      readonly cents: number;
      readonly key: number;
    } & OfAccount)
  | { readonly kind: "wait"; readonly hours: number }
  | { readonly kind: "renew" }
  | { readonly kind: "restart" };

export type OperationOf<Kind extends Operation["kind"]> = Extract<Operation, { kind: Kind }>;

/** The first may not touch money. */
export const operatorRoles = ["support", "finance", "finance"] as const;
