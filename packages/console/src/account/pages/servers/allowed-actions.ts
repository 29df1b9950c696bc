import type { RequestActionRequest, Server } from "@ironlease/client";

export type ServerAction = RequestActionRequest["action"];
type ServerState = Server["state"];

const delivered: readonly ServerState[] = ["ACTIVE", "GRACE"];
const notTerminated: readonly ServerState[] = ["PROVISIONING", "ACTIVE", "GRACE", "SUSPENDED"];

/** The states that allow each request. A test compares this table with the contract. */
export const allowedIn: Readonly<
  Record<ServerAction | "ddos" | "renewal" | "reverseDns", readonly ServerState[]>
> = {
  reboot: delivered,
  power_off: delivered,
  kvm: delivered,
  rotate_root_password: delivered,
  mount_iso: delivered,
  reinstall: delivered,
  ddos: notTerminated,
  renewal: notTerminated,
  reverseDns: notTerminated,
};
