import { ownEntry, type Style } from "@ironlease/command-line";

const colours: Readonly<Record<string, "green" | "yellow" | "red">> = {
  ACTIVE: "green",
  CREDITED: "green",
  PROVISIONING: "yellow",
  CONFIRMING: "yellow",
  GRACE: "yellow",
  QUEUED: "yellow",
  HELD: "yellow",
  PENDING_REVIEW: "yellow",
  SUSPENDED: "red",
};

/** A state in its colour, the same in every command. */
export function stateIn(style: Style, state: string): string {
  const colour = ownEntry(colours, state);
  return colour === undefined ? state : style[colour](state);
}
