import type { IdleMachineState } from "./state.ts";

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
      /** Which of two transactions the operator names when completing a withdrawal. */
      readonly transaction: number;
      /** With `fail` only. */
      readonly machineState?: IdleMachineState;
    }
  | ({ readonly kind: "suspend" | "resume" } & OfServer)
  | ({
      readonly kind: "adjust";
      readonly operator: number;
      readonly cents: number;
      readonly key: number;
    } & OfAccount)
  | { readonly kind: "wait"; readonly hours: number }
  | ({ readonly kind: "address"; readonly asset: "USDT" | "BTC"; readonly key: number } & OfAccount)
  | { readonly kind: "register"; readonly name: number }
  | { readonly kind: "renew" | "settle" | "sweep" };

/** What somebody asks the service for. Time goes by without being asked. */
export type Request = Exclude<Operation, { kind: "wait" }>;

export type OperationOf<Kind extends Operation["kind"]> = Extract<Operation, { kind: Kind }>;

/** Few, so that keys are used again, also while they are in use. */
export const keys = 6;

/** The first may not touch money. */
export const operatorRoles = ["support", "finance", "finance"] as const;

const delivered = (account: number): readonly Request[] =>
  (["claim", "complete"] as const).map((verb) => ({
    ...{ kind: "desk", operator: 0, verb, transaction: 0 },
    item: { of: "provision", account, server: 0 },
  }));

/** What has happened before a run begins, so that there is something to go wrong from the start. */
export const prologue: readonly Request[] = [
  { kind: "order", account: 0, key: keys, quantity: 2 },
  { kind: "order", account: 1, key: keys, quantity: 1 },
  ...delivered(0),
  ...delivered(1),
  { kind: "withdraw", account: 0, key: keys, cents: 2_500 },
];
