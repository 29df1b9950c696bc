import type { Machine } from "@ironlease/client/operator";
import { Badge, type BadgeTone } from "#ui/badge.tsx";

export type MachineState = Machine["state"];

const labels: Readonly<Record<MachineState, { readonly word: string; readonly tone: BadgeTone }>> =
  {
    FREE: { word: "Free", tone: "good" },
    RESERVED: { word: "Reserved", tone: "wait" },
    ASSIGNED: { word: "Assigned", tone: "plain" },
    DIRTY: { word: "Dirty", tone: "warn" },
    RETIRED: { word: "Retired", tone: "plain" },
  };

export const machineStates = Object.keys(labels) as readonly MachineState[];

/** The overview types states as plain strings. */
export function machineStateOf(text: string): MachineState {
  return machineStates.find((state) => state === text) ?? "RETIRED";
}

export function machineStateWord(state: MachineState): string {
  return labels[state].word;
}

export function MachineStateBadge({ state }: { readonly state: MachineState }) {
  const { word, tone } = labels[state];
  return <Badge tone={tone}>{word}</Badge>;
}

/** In place of a value that no one has entered. */
export const notRecorded = <span className="font-normal text-quiet">Not recorded</span>;

/** Where the machine is: "R07, U12". Empty when that is not recorded. */
export function placeOf({ rack, unit }: Pick<Machine, "rack" | "unit">): string {
  return [rack ?? "", unit === null ? "" : `U${unit}`].filter((part) => part !== "").join(", ");
}

/** The state, and whether the machine is kept out of sale. */
export function MachineBadges({
  machine: { state, keepOutReason },
}: {
  readonly machine: Pick<Machine, "state" | "keepOutReason">;
}) {
  return (
    <span className="inline-flex flex-wrap gap-1.5">
      <MachineStateBadge state={state} />
      {keepOutReason !== null && <Badge tone="warn">Out of sale</Badge>}
    </span>
  );
}
