import type { Server } from "@ironlease/client";
import { Badge, type BadgeTone } from "#ui/badge.tsx";

export type ServerState = Server["state"];

interface StateLabel {
  readonly word: string;
  readonly tone: BadgeTone;
  /** What it means for the customer. */
  readonly meaning: string;
}

export const serverStateLabels: Readonly<Record<ServerState, StateLabel>> = {
  PROVISIONING: {
    word: "Provisioning",
    tone: "wait",
    meaning: "Ordered and paid. An operator will deliver it. The term starts at delivery.",
  },
  ACTIVE: { word: "Active", tone: "good", meaning: "Delivered and paid." },
  GRACE: {
    word: "Grace period",
    tone: "warn",
    meaning:
      "The paid term is over. The server is terminated when the grace period ends, unless your balance covers the renewal.",
  },
  SUSPENDED: {
    word: "Suspended",
    tone: "bad",
    meaning: "Suspended by the operator. To have it resumed, write to the operators.",
  },
  TERMINATED: { word: "Terminated", tone: "plain", meaning: "The rental has ended." },
};

export function ServerStateBadge({ state }: { readonly state: ServerState }) {
  const { word, tone } = serverStateLabels[state];
  return <Badge tone={tone}>{word}</Badge>;
}
