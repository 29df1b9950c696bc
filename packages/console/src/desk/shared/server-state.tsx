import type { Server } from "@ironlease/client/operator";
import { Badge, type BadgeTone } from "#ui/badge.tsx";

type ServerState = Server["state"];

const labels: Readonly<Record<ServerState, { readonly word: string; readonly tone: BadgeTone }>> = {
  PROVISIONING: { word: "Provisioning", tone: "wait" },
  ACTIVE: { word: "Active", tone: "good" },
  GRACE: { word: "Grace period", tone: "warn" },
  SUSPENDED: { word: "Suspended", tone: "bad" },
  TERMINATED: { word: "Terminated", tone: "plain" },
};

export function serverStateWord(state: ServerState): string {
  return labels[state].word;
}

export function ServerStateBadge({ state }: { readonly state: ServerState }) {
  const { word, tone } = labels[state];
  return <Badge tone={tone}>{word}</Badge>;
}
