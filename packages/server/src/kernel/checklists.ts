import { checklistKinds } from "@ironlease/contract";
import type { Kysely } from "kysely";
import type { Schema } from "#ports/schema.ts";
import type { TxScope } from "./call.ts";

export type ChecklistKind = (typeof checklistKinds)[number];

/** The steps that operators tick off while they work. Nothing enforces them. */
export interface Checklist {
  readonly kind: ChecklistKind;
  readonly lines: readonly string[];
  /** The username of the admin. Null for the default. */
  readonly changedBy: string | null;
  readonly changedAt: number | null;
}

/** What applies until an admin changes it. */
const defaults: Readonly<Record<ChecklistKind, readonly string[]>> = {
  PROVISION: [
    "Compare the asset tag on the machine",
    "Set the VLAN on the switch port",
    "Install the ordered system",
    "Configure hostname, addresses and gateways",
    "Install the customer's SSH key",
    "Reach the server from outside, over IPv4 and IPv6",
  ],
  WITHDRAWAL: [
    "Compare the whole destination address",
    "Pay the amount in coins that the item shows",
    "Find the payment on the network",
  ],
  DDOS: ["Set the mode for all addresses of the server", "Reach the server from outside"],
  RECLAIM: [
    "Compare the asset tag on the machine",
    "Wipe every drive",
    "Reset the firmware and controller settings",
    "Remove mounted images",
  ],
  reboot: ["Compare the asset tag on the machine", "See the system start"],
  power_off: ["Compare the asset tag on the machine", "See the power turn off"],
  reinstall: [
    "Compare the asset tag on the machine",
    "Install the system that the server was ordered with",
    "Configure hostname, addresses and gateways",
    "Install the customer's SSH key",
    "Reach the server from outside",
  ],
  mount_iso: ["Check the image before you mount it", "See the machine start from the image"],
  kvm: ["Create access for this customer only", "Send it as a sealed message", "Note when it ends"],
  rotate_root_password: [
    "Open the console of the machine",
    "Set a new random password for root",
    "Sign in once with the new password",
    "Send it to the customer as a sealed message",
    "Delete every copy of your own",
  ],
};

export function isChecklistKind(kind: string): kind is ChecklistKind {
  return checklistKinds.some((known) => known === kind);
}

export async function readChecklists(db: Kysely<Schema>): Promise<readonly Checklist[]> {
  const rows = await db
    .selectFrom("checklists")
    .select(["kind", "lines", "changed_by as changedBy", "changed_at as changedAt"])
    .orderBy("kind")
    .limit(checklistKinds.length)
    .execute();
  return checklistKinds.map((kind) => {
    const row = rows.find((one) => one.kind === kind);
    return row === undefined
      ? { kind, lines: defaults[kind], changedBy: null, changedAt: null }
      : { ...row, kind, lines: JSON.parse(row.lines) as readonly string[] };
  });
}

/** The current lines of one checklist. */
export async function readLines(
  db: Kysely<Schema>,
  kind: ChecklistKind,
): Promise<readonly string[]> {
  const row = await db
    .selectFrom("checklists")
    .select("lines")
    .where("kind", "=", kind)
    .executeTakeFirst();
  return row === undefined ? defaults[kind] : (JSON.parse(row.lines) as readonly string[]);
}

/** Replaces the lines of a checklist. */
export async function saveLines(
  { tx, core }: TxScope,
  kind: ChecklistKind,
  { lines, by }: { readonly lines: readonly string[]; readonly by: string },
): Promise<Checklist> {
  const changed = { lines: JSON.stringify(lines), changed_by: by, changed_at: core.clock.now() };
  await tx
    .insertInto("checklists")
    .values({ kind, ...changed })
    .onConflict((conflict) => conflict.column("kind").doUpdateSet(changed))
    .execute();
  return { kind, lines, changedBy: by, changedAt: changed.changed_at };
}

/** A ticked line of a work item. It refers to the text, so that an edited line is not ticked. */
export interface Tick {
  readonly line: string;
  readonly username: string;
  readonly at: number;
}

export function readTicks(stored: string): readonly Tick[] {
  return JSON.parse(stored) as readonly Tick[];
}
