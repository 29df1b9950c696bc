import { workKinds } from "@ironlease/contract";
import * as read from "./setting-readers.ts";

const hourMs = 3_600_000;

type Targets = Readonly<Record<(typeof workKinds)[number], number>>;

export const defaultWorkTargetsMs: Targets = {
  PROVISION: 24 * hourMs,
  SERVER_ACTION: 4 * hourMs,
  WITHDRAWAL: 24 * hourMs,
  DDOS: 24 * hourMs,
  RECLAIM: 72 * hourMs,
};

/** `PROVISION=24h,WITHDRAWAL=12h`. The others keep their defaults. */
function workTargets(value: string): Targets {
  const targets = value.split(",").map((part) => {
    const [name = "", time = "", ...rest] = part.trim().split("=");
    const kind = workKinds.find((known) => known === name);
    if (kind === undefined || rest.length > 0) {
      throw new Error(
        `must be a comma-separated list such as PROVISION=24h,WITHDRAWAL=12h, of the kinds ${workKinds.join(", ")}`,
      );
    }
    return [kind, read.duration(time)] as const;
  });
  return { ...defaultWorkTargetsMs, ...Object.fromEntries(targets) };
}

/** Settings of the operators' work. */
export const workSettings = {
  twoOperatorsFromCents: {
    name: "IRONLEASE_TWO_OPERATORS_FROM",
    default: "5000",
    meaning: "Withdrawals of this amount (USD) or more need approval by two operators.",
    read: read.usd,
  },
  workTargetsMs: {
    name: "IRONLEASE_WORK_TARGETS",
    default: workKinds.map((kind) => `${kind}=${defaultWorkTargetsMs[kind] / hourMs}h`).join(","),
    meaning:
      "How long work items of each kind should take. The desk shows those that take longer as overdue. A kind that is left out keeps its default.",
    read: workTargets,
  },
} as const;
