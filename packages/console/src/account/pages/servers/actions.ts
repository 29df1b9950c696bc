import type { ServerAction } from "./allowed-actions.ts";

/** The texts of a hardware request. */
export interface ActionText {
  readonly label: string;
  readonly summary: string;
  readonly question: string;
  readonly warning: string;
  readonly confirmLabel: string;
  /** `careful` shows a red button; `typed` also makes the user type the hostname. */
  readonly danger: "plain" | "careful" | "typed";
}

export const actions: Readonly<Record<ServerAction, ActionText>> = {
  reboot: {
    label: "Reboot",
    summary: "Restart the machine",
    question: "Request a reboot?",
    warning: "Everything running on it is interrupted.",
    confirmLabel: "Request reboot",
    danger: "plain",
  },
  power_off: {
    label: "Power off",
    summary: "Turn the machine off",
    question: "Request power off?",
    warning: "The server stays off and billing continues. To power it on again, request a reboot.",
    confirmLabel: "Request power off",
    danger: "careful",
  },
  kvm: {
    label: "KVM access",
    summary: "Request remote console (KVM) access",
    question: "Request KVM access?",
    warning: "The operator sends you the access details. They are not shown here.",
    confirmLabel: "Request KVM access",
    danger: "plain",
  },
  mount_iso: {
    label: "Mount ISO",
    summary: "Attach your own ISO image",
    question: "Request an ISO mount?",
    warning: "The operator downloads the image from this URL.",
    confirmLabel: "Request ISO mount",
    danger: "plain",
  },
  rotate_root_password: {
    label: "New root password",
    summary: "Replace the root password",
    question: "Request a new root password?",
    warning:
      "The current password stops working. The operator sends you the new one. It is not shown here.",
    confirmLabel: "Request new password",
    danger: "careful",
  },
  reinstall: {
    label: "Reinstall",
    summary: "Reinstall the operating system and erase all disks",
    question: "Request a reinstall?",
    warning: "All data on its disks is erased. This cannot be undone.",
    confirmLabel: "Erase and reinstall",
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
