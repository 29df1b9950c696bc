import type { Server } from "@ironlease/client";
import { sendOnce } from "#data/use-idempotent-change.ts";
import { client } from "#account/data/client.ts";
import { allowedIn } from "./allowed-actions.ts";

/** A change of many servers at once. */
export interface BulkChange {
  readonly button: string;
  readonly question: (servers: string) => string;
  readonly warning: string;
  readonly confirmLabel: string;
  /** What became of one server: "Reboot requested". */
  readonly done: string;
  readonly isPossible: (server: Server) => boolean;
  readonly send: (server: Server, username: string) => Promise<unknown>;
  /** Where the intent of a server is stored. None for changes that are safe to repeat. */
  readonly slotOf?: (serverId: string) => string;
}

/** Also the slot of the server page's dialog, so that a lost answer is retried with the same key there. */
const rebootSlot = (id: string) => `action/${id}/reboot`;

const renewal = (autoRenew: boolean) =>
  ({
    isPossible: (server) =>
      allowedIn.renewal.includes(server.state) && server.autoRenew !== autoRenew,
    // Safe to repeat without a key: it sets a state.
    send: ({ id }) => client.setRenewal({ id, autoRenew }),
  }) satisfies Partial<BulkChange>;

export const bulkChanges = {
  reboot: {
    button: "Reboot",
    question: (servers) => `Request a reboot of ${servers}?`,
    warning:
      "Everything running on them is interrupted. Operators carry out the reboots and report the outcome in each server's messages.",
    confirmLabel: "Request reboots",
    done: "Reboot requested",
    slotOf: rebootSlot,
    isPossible: ({ state }) => allowedIn.reboot.includes(state),
    send: ({ id }, username) =>
      sendOnce(rebootSlot(id), username, { id, action: "reboot" } as const, client.requestAction),
  },
  renew: {
    ...renewal(true),
    button: "Turn renewal on",
    question: (servers) => `Turn on renewal of ${servers}?`,
    warning: "Each renewal is charged to your balance when the paid term ends.",
    confirmLabel: "Turn renewal on",
    done: "Renewal on",
  },
  end: {
    ...renewal(false),
    button: "Turn renewal off",
    question: (servers) => `Turn off renewal of ${servers}?`,
    warning:
      "After the paid term and the grace period they are terminated and their disks are wiped.",
    confirmLabel: "Turn renewal off",
    done: "Renewal off",
  },
} satisfies Readonly<Record<string, BulkChange>>;

export const serversText = (count: number) => (count === 1 ? "1 server" : `${count} servers`);
