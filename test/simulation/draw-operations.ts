import type { Chance } from "./chance.ts";
import { maxIndex } from "./model/aim.ts";
import {
  keys,
  operatorRoles,
  verbs,
  type Item,
  type OperationOf,
  type Request,
} from "./model/operations.ts";
import { startCents } from "./model/state.ts";

/** What one sender does, one after the other; or time goes by. */
export type Errand = readonly Request[] | OperationOf<"wait">;

type Table<T> = readonly (readonly [weight: number, draw: (chance: Chance) => T])[];

function drawFrom<T>(chance: Chance, table: Table<T>): T {
  let left = chance.below(table.reduce((sum, [weight]) => sum + weight, 0));
  for (const [weight, draw] of table) {
    left -= weight;
    if (left < 0) return draw(chance);
  }
  throw new Error("a table to draw from is empty");
}

const account = (chance: Chance) => chance.below(startCents.length);
const operator = (chance: Chance) => chance.below(operatorRoles.length);
const key = (chance: Chance) => chance.below(keys);
const server = (chance: Chance) => chance.below(maxIndex + 1);
const ofAccount = (chance: Chance) => ({ account: account(chance), key: key(chance) });
const ofServer = (chance: Chance) => ({ account: account(chance), server: server(chance) });
const ofIndex = (chance: Chance) => ({ account: account(chance), index: server(chance) });

/** Deliveries most of all: nothing else can happen to a server that nobody delivers. */
const items: Table<Item> = [
  [5, (chance) => ({ of: "provision", ...ofServer(chance) })],
  [3, (chance) => ({ of: "withdrawal", ...ofIndex(chance) })],
  [2, (chance) => ({ of: "ddos", ...ofServer(chance) })],
  [2, (chance) => ({ of: "reclaim", ...ofServer(chance) })],
  [1, (chance) => ({ of: "action", ...ofIndex(chance) })],
];

const quantities = [1, 1, 1, 2, 3, 5];
const sums = [100, 2_500, 8_999, 9_000, 9_999];
const confirmations = [0, 3, 11, 12, 12, 12, 40];
const adjustments = [-9_000, -3_000, 5_000, 20_000];
const hours = [0.01, 0.1, 0.4, 0.5, 1, 24, 72, 360, 720, 724, 2_200];
const actions = ["reboot", "kvm"] as const;
const modes = ["BASELINE", "ADVANCED"] as const;
const assets = ["USDT", "BTC"] as const;

const requests: Table<Request> = [
  [
    5,
    (chance) => ({
      ...{ kind: "pay", account: account(chance), cents: 12_000, payment: chance.below(2) },
      confirmations: chance.pick(confirmations),
    }),
  ],
  [8, (chance) => ({ kind: "order", ...ofAccount(chance), quantity: chance.pick(quantities) })],
  [4, (chance) => ({ kind: "withdraw", ...ofAccount(chance), cents: chance.pick(sums) })],
  [3, (chance) => ({ kind: "address", ...ofAccount(chance), asset: chance.pick(assets) })],
  [
    3,
    (chance) => ({
      ...{ kind: "act", ...ofServer(chance), key: key(chance) },
      action: chance.pick(actions),
    }),
  ],
  [
    3,
    (chance) => ({
      ...{ kind: "ddos", ...ofServer(chance), key: key(chance) },
      mode: chance.pick(modes),
    }),
  ],
  [1, (chance) => ({ kind: "renewal", ...ofServer(chance), autoRenew: chance.happens(0.5) })],
  [2, (chance) => ({ kind: "suspend", ...ofServer(chance) })],
  [2, (chance) => ({ kind: "resume", ...ofServer(chance) })],
  [
    3,
    (chance) => ({
      ...{ kind: "adjust", ...ofAccount(chance), operator: 1 + chance.below(2) },
      cents: chance.pick(adjustments),
    }),
  ],
  [1, (chance) => ({ kind: "register", name: chance.below(3) })],
  [5, () => ({ kind: "renew" })],
  [2, () => ({ kind: "settle" })],
  [1, () => ({ kind: "sweep" })],
  [3, (chance) => step(chance, chance.pick(verbs), drawFrom(chance, items), operator(chance))],
];

/** Mostly FREE, so that a run does not end up without machines. */
const machineStates = [undefined, "DIRTY", "RETIRED", "FREE", "FREE", "FREE"] as const;

function step(
  chance: Chance,
  verb: (typeof verbs)[number],
  item: Item,
  operator: number,
  transaction = 0,
): OperationOf<"desk"> {
  const takesState = verb === "fail" && (item.of === "provision" || chance.happens(0.1));
  const machineState = takesState ? chance.pick(machineStates) : undefined;
  return { kind: "desk", operator, verb, item, transaction, ...(machineState && { machineState }) };
}

/** Most name the same one. */
const transactions = [0, 0, 0, 1];

const errands: Table<Errand> = [
  [44, (chance) => [drawFrom(chance, requests)]],
  // An operator goes on with what was just claimed.
  [
    14,
    (chance) => {
      const [item, who] = [drawFrom(chance, items), operator(chance)];
      const end = chance.pick(["complete", "complete", "complete", "fail"] as const);
      const transaction = chance.pick(transactions);
      return [step(chance, "claim", item, who), step(chance, end, item, who, transaction)];
    },
  ],
  [6, (chance) => ({ kind: "wait", hours: chance.pick(hours) })],
];

export function drawErrand(chance: Chance): Errand {
  return drawFrom(chance, errands);
}
