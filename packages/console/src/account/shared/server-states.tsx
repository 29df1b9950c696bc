import type { Server } from "@ironlease/client";
import { Badge, type BadgeTone } from "#ui/badge.tsx";

export type ServerState = Server["state"];

interface StateLook {
  readonly word: string;
  readonly tone: BadgeTone;
  /** What it means for whoever rents the server. */
  readonly meaning: string;
}

export const serverStateLooks: Readonly<Record<ServerState, StateLook>> = {
  PROVISIONING: {
    word: "Provisioning",
    tone: "wait",
    meaning: "Ordered and paid. An operator is to deliver it; the term begins at delivery.",
  },
  ACTIVE: { word: "Active", tone: "good", meaning: "Delivered and paid." },
  GRACE: {
    word: "In grace",
    tone: "warn",
    meaning:
      "The paid time is over. It ends with the grace time unless the balance covers a renewal.",
  },
  SUSPENDED: {
    word: "Suspended",
    tone: "bad",
    meaning: "The operator has suspended it. To have it resumed, contact support.",
  },
  TERMINATED: { word: "Terminated", tone: "plain", meaning: "It has ended." },
};

export function ServerStateBadge({ state }: { readonly state: ServerState }) {
  const { word, tone } = serverStateLooks[state];
  return <Badge tone={tone}>{word}</Badge>;
}
