import type { SeededRandom } from "./seeded-random.ts";
import { maxIndex } from "./model/choose-target.ts";
import {
  keys,
  latestPayout,
  operatorRoles,
  payoutVerbs,
  verbs,
  type WorkItem,
  type OperationOf,
  type Request,
  type WithdrawalItem,
} from "./model/operations.ts";
import { initialBalances } from "./model/state.ts";

/** Requests that one client sends in sequence, or a wait. */
export type Workflow = readonly Request[] | OperationOf<"wait" | "waitForPrice">;

type Table<T> = readonly (readonly [weight: number, draw: (random: SeededRandom) => T])[];

function drawFrom<T>(random: SeededRandom, table: Table<T>): T {
  let left = random.below(table.reduce((sum, [weight]) => sum + weight, 0));
  for (const [weight, draw] of table) {
    left -= weight;
    if (left < 0) return draw(random);
  }
  throw new Error("Cannot draw from an empty table.");
}

const account = (random: SeededRandom) => random.below(initialBalances.length);
const operator = (random: SeededRandom) => random.below(operatorRoles.length);
const key = (random: SeededRandom) => random.below(keys);
const server = (random: SeededRandom) => random.below(maxIndex + 1);
const ofAccount = (random: SeededRandom) => ({ account: account(random), key: key(random) });
const ofServer = (random: SeededRandom) => ({ account: account(random), server: server(random) });
const ofIndex = (random: SeededRandom) => ({ account: account(random), index: server(random) });

const withdrawal = (random: SeededRandom): WithdrawalItem => ({
  of: "withdrawal",
  ...ofIndex(random),
});
/** The support operator may not pay. */
const payer = (random: SeededRandom) => 1 + random.below(2);

/** Mostly deliveries, because nothing else can happen to a server before its delivery. */
const items: Table<WorkItem> = [
  [5, (random) => ({ of: "provision", ...ofServer(random) })],
  [3, withdrawal],
  [3, (random) => ({ of: "ddos", ...ofServer(random) })],
  [2, (random) => ({ of: "reclaim", ...ofServer(random) })],
  [1, (random) => ({ of: "action", ...ofIndex(random) })],
];

function signIn(random: SeededRandom, of = account(random)): OperationOf<"signIn"> {
  const isRight = random.happens(0.9);
  const proof = random.pick(["app", "app", "app", "recovery", "none", "wrong"] as const);
  return { kind: "signIn", account: of, isRight, proof };
}

function removePasskey(random: SeededRandom, of = account(random)): OperationOf<"removePasskey"> {
  return { kind: "removePasskey", account: of, passkey: random.below(3) };
}

const quantities = [1, 1, 1, 2, 3, 5];
const sums = [100, 2_500, 8_999, 9_000, 9_999];
const confirmations = [0, 3, 11, 12, 12, 12, 40];
const adjustments = [-9_000, -3_000, 5_000, 20_000];
const hours = [0.01, 0.1, 0.4, 0.5, 1, 24, 72, 360, 720, 724, 2_200];
const actions = ["reboot", "kvm"] as const;
const modes = ["BASELINE", "ADVANCED", "ADVANCED"] as const;
const quotes = [0, 1_001, 1_001, 2_500, 40_000];
const assets = ["USDT", "BTC"] as const;

const requests: Table<Request> = [
  [
    5,
    (random) => ({
      kind: "pay",
      account: account(random),
      cents: 12_000,
      payment: random.below(2),
      confirmations: random.pick(confirmations),
    }),
  ],
  [8, (random) => ({ kind: "order", ...ofAccount(random), quantity: random.pick(quantities) })],
  [4, (random) => ({ kind: "withdraw", ...ofAccount(random), cents: random.pick(sums) })],
  [3, (random) => ({ kind: "address", ...ofAccount(random), asset: random.pick(assets) })],
  [
    3,
    (random) => ({
      kind: "act",
      ...ofServer(random),
      key: key(random),
      action: random.pick(actions),
    }),
  ],
  [
    3,
    (random) => ({
      kind: "ddos",
      ...ofServer(random),
      key: key(random),
      mode: random.pick(modes),
    }),
  ],
  [
    4,
    (random) => ({
      kind: "accept",
      ...ofServer(random),
      key: key(random),
      cents: random.pick(quotes),
    }),
  ],
  [3, (random) => ({ kind: "cancel", ...ofServer(random), key: key(random) })],
  [1, (random) => ({ kind: "renewal", ...ofServer(random), autoRenew: random.happens(0.5) })],
  [1, (random) => ({ kind: "lock", account: account(random), locked: random.happens(0.6) })],
  [2, (random) => ({ kind: "saveAddress", ...ofAccount(random) })],
  [1, (random) => ({ kind: "removeAddress", ...ofAccount(random) })],
  [2, signIn],
  [1, (random) => ({ kind: "removeFactor", account: account(random) })],
  [
    4,
    (random) => ({
      kind: random.pick(["confirmFactor", "recover", "changePassword", "close"] as const),
      account: account(random),
      isRight: random.happens(0.8),
    }),
  ],
  [
    3,
    (random) => ({
      kind: "passkeySignIn",
      account: account(random),
      passkey: random.below(3),
      how: random.pick(["good", "good", "good", "copied", "replayed"] as const),
    }),
  ],
  [1, removePasskey],
  [2, (random) => ({ kind: "suspend", ...ofServer(random) })],
  [2, (random) => ({ kind: "resume", ...ofServer(random) })],
  [
    3,
    (random) => ({
      kind: "adjust",
      ...ofAccount(random),
      operator: payer(random),
      cents: random.pick(adjustments),
    }),
  ],
  [1, (random) => ({ kind: "register", name: random.below(3) })],
  [5, () => ({ kind: "renew" })],
  [2, () => ({ kind: "settle" })],
  [1, (random) => prepare(random, payer(random), [withdrawal(random)])],
  [2, (random) => payoutStep(random.pick(payoutVerbs), payer(random), server(random))],
  [1, (random) => follow(random, server(random))],
  [1, () => ({ kind: "sweep" })],
  [3, (random) => step(random, random.pick(verbs), drawFrom(random, items), operator(random))],
];

/** Mostly FREE, so that a run does not use up its machines. */
const machineStates = [undefined, "DIRTY", "RETIRED", "FREE", "FREE", "FREE"] as const;

function step(
  random: SeededRandom,
  verb: (typeof verbs)[number],
  item: WorkItem,
  operator: number,
  transaction = 0,
): OperationOf<"workStep"> {
  const takesState = verb === "fail" && (item.of === "provision" || random.happens(0.1));
  const machineState = takesState ? random.pick(machineStates) : undefined;
  const isNamed = verb === "complete" && item.of === "ddos" && random.happens(0.3);
  const takesQuote = verb === "quote" || isNamed;
  return {
    kind: "workStep",
    operator,
    verb,
    item,
    transaction,
    ...(takesQuote && { quoteCents: random.pick(quotes) }),
    ...(machineState && { machineState }),
  };
}

function prepare(
  random: SeededRandom,
  operator: number,
  items: readonly WithdrawalItem[],
): OperationOf<"prepare"> {
  return { kind: "prepare", operator, items, key: key(random) };
}

function payoutStep(
  verb: (typeof payoutVerbs)[number],
  operator: number,
  payout = latestPayout,
): OperationOf<"payoutStep"> {
  return { kind: "payoutStep", operator, verb, payout };
}

function follow(random: SeededRandom, payout = latestPayout): OperationOf<"follow"> {
  const isSpentElsewhere = random.happens(0.25);
  return { kind: "follow", payout, confirmations: random.pick(depths), isSpentElsewhere };
}

const depths = [0, 1, 11, 12, 12, 40];

/** Operators mostly name the same transaction, because two approvals must agree. */
const transactions = [0, 0, 0, 1];

const workflows: Table<Workflow> = [
  [44, (random) => [drawFrom(random, requests)]],
  // An operator claims a work item and finishes it.
  [
    14,
    (random) => {
      const [item, by] = [drawFrom(random, items), operator(random)];
      const end = random.pick(["complete", "complete", "complete", "fail"] as const);
      const transaction = random.pick(transactions);
      return [step(random, "claim", item, by), step(random, end, item, by, transaction)];
    },
  ],
  // An operator claims a DDoS request and offers a quote.
  [
    4,
    (random) => {
      const [item, by] = [{ of: "ddos", ...ofServer(random) } as const, operator(random)];
      return [step(random, "claim", item, by), step(random, "quote", item, by)];
    },
  ],
  // A customer asks for ADVANCED, accepts the quote, and an operator applies the mode.
  [
    4,
    (random) => {
      const [target, by] = [{ account: random.below(2), server: 0 }, operator(random)];
      const cents = random.pick([1_001, 2_500, 900_000]);
      const item = { of: "ddos", ...target } as const;
      const claim = step(random, "claim", item, by);
      const delivery = { of: "provision", ...target } as const;
      return [
        step(random, "claim", delivery, by),
        step(random, "complete", delivery, by),
        { kind: "ddos", ...target, key: key(random), mode: "ADVANCED" },
        claim,
        { ...step(random, "quote", item, by), quoteCents: cents },
        { kind: "accept", ...target, key: key(random), cents },
        claim,
        step(random, "complete", item, by),
      ];
    },
  ],
  // The richest customer withdraws, and an operator claims one or two withdrawals and pays them with one payout.
  [
    4,
    (random) => {
      const by = payer(random);
      const cents = random.pick([2_500, 8_999, 9_000, 9_999, 15_000]);
      const request = { kind: "withdraw", ...ofAccount(random), account: 0, cents } as const;
      const items = random.happens(0.3)
        ? [withdrawal(random), withdrawal(random)]
        : [withdrawal(random)];
      const claims = items.map((item) => step(random, "claim", item, by));
      const end = random.pick(["broadcast", "broadcast", "broadcast", "cancel"] as const);
      const paid = [payoutStep("sign", by), payoutStep(end, payer(random))];
      const ends = [...paid, follow(random)].slice(0, random.pick([1, 2, 3, 3, 3]));
      return [request, ...claims, prepare(random, by, items), ...ends];
    },
  ],
  // A customer signs in and changes how, which needs a recent sign-in.
  [
    6,
    (random) => {
      const of = account(random);
      const factor = [
        { kind: "beginFactor", account: of },
        { kind: "confirmFactor", account: of, isRight: random.happens(0.9) },
      ] as const;
      const passkey = { kind: "addPasskey", account: of, isCounting: random.happens(0.7) } as const;
      const change = random.pick([
        factor,
        factor,
        [passkey],
        [passkey],
        [removePasskey(random, of)],
        [{ kind: "removeFactor", account: of } as const],
      ]);
      return [signIn(random, of), ...change];
    },
  ],
  // An admin hides the offer for a while.
  [
    2,
    (random) => [
      { kind: "sell", hidden: true },
      { kind: "order", ...ofAccount(random), quantity: 1 },
      { kind: "sell", hidden: false },
      { kind: "order", ...ofAccount(random), quantity: 1 },
    ],
  ],
  [2, (random) => ({ kind: "waitForPrice", isBefore: random.happens(0.5) })],
  [6, (random) => ({ kind: "wait", hours: random.pick(hours) })],
];

export function drawWorkflow(random: SeededRandom): Workflow {
  return drawFrom(random, workflows);
}
