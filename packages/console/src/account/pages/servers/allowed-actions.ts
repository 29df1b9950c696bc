import type { RequestActionRequest, Server } from "@ironlease/client";

export type ServerAction = RequestActionRequest["action"];
type ServerState = Server["state"];

const delivered: readonly ServerState[] = ["ACTIVE", "GRACE"];
const living: readonly ServerState[] = ["PROVISIONING", "ACTIVE", "GRACE", "SUSPENDED"];

/** Which state allows what. The service has the last word; a test holds this table to its rule. */
export const allowedIn: Readonly<
  Record<ServerAction | "ddos" | "renewal" | "reverseDns", readonly ServerState[]>
> = {
  reboot: delivered,
  power_off: delivered,
  kvm: delivered,
  rotate_root_password: delivered,
  mount_iso: delivered,
  reinstall: delivered,
  ddos: living,
  renewal: living,
  reverseDns: living,
};
