import fc from "fast-check";
import { maxIndex } from "./aim.ts";
import { operatorRoles, verbs, type Item, type Operation } from "./operations.ts";

export const accounts = 3;
export const free = 12;

const account = fc.nat({ max: accounts - 1 });
const operator = fc.nat({ max: operatorRoles.length - 1 });
const key = fc.nat({ max: 14 });
const server = fc.nat({ max: maxIndex });
const kind = <const Kind extends string>(name: Kind) => fc.constant(name);

/** Deliveries most of all: nothing else can happen to a server that nobody delivers. */
const item: fc.Arbitrary<Item> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ of: kind("provision"), account, server }) },
  {
    weight: 3,
    arbitrary: fc.record({ of: kind("withdrawal"), account, index: server }),
  },
  { weight: 2, arbitrary: fc.record({ of: kind("ddos"), account, server }) },
  { weight: 2, arbitrary: fc.record({ of: kind("reclaim"), account, server }) },
  { weight: 1, arbitrary: fc.record({ of: kind("action"), account, index: server }) },
);

const customerSteps: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      ...{ kind: kind("pay"), account, cents: fc.constant(12_000), payment: fc.nat({ max: 20 }) },
      confirmations: fc.constantFrom(0, 3, 11, 12, 12, 12, 40),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      ...{ kind: kind("order"), account, key },
      quantity: fc.constantFrom(1, 1, 1, 2, 3, 5),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      ...{ kind: kind("withdraw"), account, key },
      cents: fc.constantFrom(100, 2_500, 8_999, 9_000, 9_999),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      ...{ kind: kind("act"), account, server, key },
      action: fc.constantFrom("reboot", "kvm"),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      ...{ kind: kind("ddos"), account, server, key },
      mode: fc.constantFrom("BASELINE", "ADVANCED"),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: kind("renewal"), account, server, autoRenew: fc.boolean() }),
  },
);

/** An operator often goes on with what was just claimed, so some steps come in twos. */
const deskStep = fc.record({
  ...{ kind: kind("desk"), operator, item },
  verb: fc.constantFrom(...verbs),
});
const claimAndEnd = fc
  .record({ operator, item, verb: fc.constantFrom("complete", "complete", "fail") })
  .map(({ verb, ...same }) =>
    [{ ...same, verb: "claim" } as const, { ...same, verb } as const].map(
      (step) => ({ kind: "desk", ...step }) as const,
    ),
  );

const otherSteps: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom("suspend", "resume"), account, server }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      ...{ kind: kind("adjust"), account, operator: fc.constantFrom(1, 2), key },
      cents: fc.constantFrom(-9_000, -3_000, 5_000, 20_000),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: kind("wait"),
      hours: fc.constantFrom(0.25, 0.5, 1, 24, 48, 72, 360, 720, 724, 2_200),
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: kind("renew") }) },
  { weight: 1, arbitrary: fc.record({ kind: kind("restart") }) },
);

const one = (arbitrary: fc.Arbitrary<Operation>) => arbitrary.map((operation) => [operation]);

const operations: fc.Arbitrary<readonly Operation[]> = fc.oneof(
  { weight: 12, arbitrary: one(customerSteps) },
  { weight: 4, arbitrary: one(deskStep) },
  { weight: 6, arbitrary: claimAndEnd },
  { weight: 5, arbitrary: one(otherSteps) },
);

/** Operations, and whether the process dies in the middle of the last of them the first time. */
export const step = fc.record({
  operations,
  failAt: fc.oneof(
    { weight: 6, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 6 }) },
  ),
});
