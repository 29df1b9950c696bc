import type { ServerAction } from "./allowed-actions.ts";

/** What a request for the hardware is called, what it does, and how carefully it is asked for. */
export interface ActionText {
  readonly label: string;
  readonly summary: string;
  readonly question: string;
  readonly warning: string;
  readonly doIt: string;
  /** `plain` is asked once; `careful` is asked in red; `typed` wants the host name typed. */
  readonly danger: "plain" | "careful" | "typed";
}

export const actions: Readonly<Record<ServerAction, ActionText>> = {
  reboot: {
    label: "Reboot",
    summary: "Restart the machine.",
    question: "Request a reboot?",
    warning: "Whatever runs on it stops for as long as it takes.",
    doIt: "Request reboot",
    danger: "plain",
  },
  power_off: {
    label: "Power off",
    summary: "Switch the machine off.",
    question: "Request power off?",
    warning:
      "It stays off, and paid for. There is no request of its own for switching it on again.",
    doIt: "Request power off",
    danger: "careful",
  },
  kvm: {
    label: "KVM access",
    summary: "Ask for keyboard, screen and mouse from afar.",
    question: "Request KVM access?",
    warning: "The way in is not shown here: you get it from the operator.",
    doIt: "Request KVM access",
    danger: "plain",
  },
  mount_iso: {
    label: "Mount an ISO",
    summary: "Insert an image of your own.",
    question: "Request an ISO to be mounted?",
    warning: "The operator fetches it from the address below.",
    doIt: "Request mount",
    danger: "plain",
  },
  rotate_root_password: {
    label: "New root password",
    summary: "Have the root password replaced.",
    question: "Request a new root password?",
    warning:
      "The password in use stops working. The new one is not shown here: you get it from the operator.",
    doIt: "Request new password",
    danger: "careful",
  },
  reinstall: {
    label: "Reinstall",
    summary: "Install its system anew. Erases everything on its disks.",
    question: "Request a reinstallation?",
    warning: "Everything on its disks is erased. That cannot be undone.",
    doIt: "Erase and reinstall",
    danger: "typed",
  },
};

export const actionOrder: readonly ServerAction[] = [
  "reboot",
  "power_off",
  "kvm",
  "mount_iso",
  "rotate_root_password",
  "reinstall",
];
