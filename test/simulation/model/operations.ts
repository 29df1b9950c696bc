import type { IdleMachineState } from "./state.ts";

/** Indexes are small, so that operations conflict. */
interface OfAccount {
  readonly account: number;
}
interface OfServer extends OfAccount {
  readonly server: number;
}

export type WorkItem =
  | ({ readonly of: "provision" | "ddos" | "reclaim" } & OfServer)
  | ({ readonly of: "action"; readonly index: number } & OfAccount)
  | WithdrawalItem;

export interface WithdrawalItem extends OfAccount {
  readonly of: "withdrawal";
  readonly index: number;
}

/** `tamper` uploads a signed transaction other than the prepared one. */
export const payoutVerbs = ["sign", "tamper", "broadcast", "cancel"] as const;

/** Stands for the latest payout when the request is sent. */
export const latestPayout = -1;

export const verbs = ["claim", "release", "quote", "complete", "fail"] as const;

/** How a customer signs in. Those with a password send a wrong one unless `isRight`. */
export type AccessRequest = OfAccount &
  (
    | {
        readonly kind: "signIn";
        readonly isRight: boolean;
        /** What is sent as second factor. */
        readonly proof: "none" | "app" | "recovery" | "wrong";
      }
    | { readonly kind: "beginFactor" | "removeFactor" }
    | { readonly kind: "confirmFactor" | "recover" | "changePassword"; readonly isRight: boolean }
    | { readonly kind: "close"; readonly isRight: boolean }
    | { readonly kind: "addPasskey"; readonly isCounting: boolean }
    | {
        readonly kind: "passkeySignIn";
        readonly passkey: number;
        readonly how: "good" | "copied" | "replayed";
      }
    | { readonly kind: "removePasskey"; readonly passkey: number }
  );

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
  | ({ readonly kind: "accept"; readonly cents: number; readonly key: number } & OfServer)
  | ({ readonly kind: "cancel"; readonly key: number } & OfServer)
  | ({ readonly kind: "renewal"; readonly autoRenew: boolean } & OfServer)
  | ({ readonly kind: "lock"; readonly locked: boolean } & OfAccount)
  | ({ readonly kind: "saveAddress"; readonly key: number } & OfAccount)
  | ({ readonly kind: "removeAddress"; readonly key: number } & OfAccount)
  | AccessRequest
  | {
      readonly kind: "workStep";
      readonly operator: number;
      readonly verb: (typeof verbs)[number];
      readonly item: WorkItem;
      /** Which of two transactions the operator names when completing a withdrawal. */
      readonly transaction: number;
      /** With `quote`, and with `complete` if the customer agreed to a price without an offer. */
      readonly quoteCents?: number;
      /** With `fail` only. */
      readonly machineState?: IdleMachineState;
    }
  | {
      readonly kind: "prepare";
      readonly operator: number;
      readonly items: readonly WithdrawalItem[];
      readonly key: number;
    }
  | {
      readonly kind: "payoutStep";
      readonly operator: number;
      readonly verb: (typeof payoutVerbs)[number];
      readonly payout: number;
    }
  | {
      /** The chain mines a payout, or another spend of its coins. Then a pass follows all payouts. */
      readonly kind: "follow";
      readonly payout: number;
      readonly confirmations: number;
      readonly isSpentElsewhere: boolean;
    }
  | ({ readonly kind: "suspend" | "resume" } & OfServer)
  | ({
      readonly kind: "adjust";
      readonly operator: number;
      readonly cents: number;
      readonly key: number;
    } & OfAccount)
  /** Hides the only offer, or puts it on sale again. */
  | { readonly kind: "sell"; readonly hidden: boolean }
  | { readonly kind: "wait"; readonly hours: number }
  /** Until the scheduled price begins, or the millisecond before. */
  | { readonly kind: "waitForPrice"; readonly isBefore: boolean }
  | ({ readonly kind: "address"; readonly asset: "USDT" | "BTC"; readonly key: number } & OfAccount)
  | { readonly kind: "register"; readonly name: number }
  | { readonly kind: "renew" | "settle" | "sweep" };

/** An operation that a client sends to the service. */
export type Request = Exclude<Operation, { kind: "wait" | "waitForPrice" }>;

export type OperationOf<Kind extends Operation["kind"]> = Extract<Operation, { kind: Kind }>;

/** Few keys, so that clients reuse them, even concurrently. */
export const keys = 6;

/** The support operator may not work on withdrawals. */
export const operatorRoles = ["support", "finance", "finance"] as const;

const byOperator = { kind: "workStep", operator: 0, transaction: 0 } as const;

const delivered = (account: number): readonly Request[] =>
  (["claim", "complete"] as const).map((verb) => ({
    ...byOperator,
    verb,
    item: { of: "provision", account, server: 0 },
  }));

const quoted = (account: number): readonly Request[] => [
  { kind: "ddos", account, server: 0, key: keys, mode: "ADVANCED" },
  { ...byOperator, verb: "claim", item: { of: "ddos", account, server: 0 } },
  { ...byOperator, verb: "quote", item: { of: "ddos", account, server: 0 }, quoteCents: 1_001 },
];

/** Operations before a run begins, so that servers, work items and a quote exist from the start. */
export const setupOperations: readonly Request[] = [
  { kind: "order", account: 0, key: keys, quantity: 2 },
  { kind: "order", account: 1, key: keys, quantity: 1 },
  ...delivered(0),
  ...delivered(1),
  ...quoted(0),
  { kind: "withdraw", account: 0, key: keys, cents: 2_500 },
];
