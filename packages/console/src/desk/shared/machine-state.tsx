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
