import type { PayoutSummary } from "@ironlease/client/operator";
import { Badge, type BadgeTone } from "#ui/badge.tsx";

type State = PayoutSummary["state"];

const states: Readonly<Record<State, { readonly word: string; readonly tone: BadgeTone }>> = {
  PREPARED: { word: "To sign", tone: "wait" },
  SIGNED: { word: "To approve", tone: "wait" },
  BROADCAST: { word: "Sent", tone: "wait" },
  CONFIRMED: { word: "Confirmed", tone: "good" },
  CANCELLED: { word: "Cancelled", tone: "plain" },
  FAILED: { word: "Failed", tone: "bad" },
};

export function PayoutStateBadge({ state }: { readonly state: State }) {
  const { word, tone } = states[state];
  return <Badge tone={tone}>{word}</Badge>;
}
