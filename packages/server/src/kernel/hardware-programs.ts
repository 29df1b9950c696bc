import type { ControllerDriver } from "#ports/controllers.ts";
import type { ServerState, WorkKind } from "#ports/schema.ts";

/** What a run does. */
export type HardwareProgram =
  | "READ_POWER"
  | "REBOOT"
  | "SHUT_DOWN"
  | "FORCE_OFF"
  | "NETWORK_BOOT"
  | "MOUNT_ISO"
  | "CONSOLE";

export type RunStep = "force" | "status";

const poweringOn: ReadonlySet<HardwareProgram> = new Set(["REBOOT", "NETWORK_BOOT", "MOUNT_ISO"]);

/** Whether the machine is on after the program. */
export function powersOn(program: HardwareProgram): boolean {
  return poweringOn.has(program);
}

/** The part of a work item that decides what a run may do. */
export interface RunnableItem {
  readonly kind: WorkKind;
  /** The requested action of a SERVER_ACTION. */
  readonly action: string | null;
  readonly actionId: string | null;
  readonly serverState: ServerState;
}

export interface Offer {
  readonly step: RunStep | null;
  readonly program: HardwareProgram;
  /** One sentence for the operator. */
  readonly does: string;
}

export interface Offers {
  readonly offers: readonly Offer[];
  /** Why the request itself must be carried out by hand. Null when a run can do it. */
  readonly byHand: string | null;
}

const readPower: Offer = {
  step: "status",
  program: "READ_POWER",
  does: "Reads the power state and changes nothing.",
};
const shutDown: Offer = {
  step: null,
  program: "SHUT_DOWN",
  does: "Asks the operating system to shut down and waits until the machine is off.",
};
const forceOff: Offer = {
  step: "force",
  program: "FORCE_OFF",
  does: "Cuts the power at once and waits until the machine is off. Unsaved data is lost.",
};

function offer(program: HardwareProgram, does: string): Offers {
  return { offers: [{ step: null, program, does }, readPower], byHand: null };
}

function byHand(reason: string, ...offers: readonly Offer[]): Offers {
  return { offers: [...offers, readPower], byHand: reason };
}

/** What the machine's controller can do for an item. No run powers on the machine of a suspended server. */
export function offersFor(
  item: RunnableItem,
  driver: ControllerDriver,
  isoMirror: string | undefined,
): Offers {
  const all = offersOf(item, driver, isoMirror);
  if (item.serverState !== "SUSPENDED") return all;
  const offers = all.offers.filter(({ program }) => !powersOn(program));
  if (offers.length === all.offers.length) return all;
  return {
    offers,
    byHand: "The server is suspended, so no run powers it on. Fail the item, or resume the server.",
  };
}

function offersOf(
  item: RunnableItem,
  driver: ControllerDriver,
  isoMirror: string | undefined,
): Offers {
  if (item.kind === "RECLAIM") {
    const reason =
      "A run can only power the machine off. Wipe its disks by hand, and then complete the item.";
    return byHand(reason, shutDown, forceOff);
  }
  if (item.kind !== "SERVER_ACTION") {
    return { offers: [], byHand: "Runs are for server actions and reclaims only." };
  }
  switch (item.action) {
    case "reboot":
      return offer(
        "REBOOT",
        "Cuts the power, waits until the machine is off, powers it on and waits until it is on.",
      );
    case "power_off":
      return { offers: [shutDown, forceOff, readPower], byHand: null };
    case "reinstall":
      return offer(
        "NETWORK_BOOT",
        "Sets a one-time network boot and power-cycles the machine. Complete the item when the new system answers.",
      );
    case "mount_iso":
      return offersForIso(item, driver, isoMirror);
    case "kvm":
      return driver === "redfish"
        ? offer("CONSOLE", "Reads the address of the remote console, which only operators see.")
        : byHand(
            "IPMI has no graphical console. Open the controller's own page, or use ipmitool sol activate for the serial console.",
          );
    case "rotate_root_password":
      return byHand(
        "A controller cannot change a password. Boot a rescue system, mount the root file system, set the new password with passwd, reboot, and send it sealed.",
      );
    default:
      return byHand("No run exists for this request.");
  }
}

function offersForIso(
  { actionId }: RunnableItem,
  driver: ControllerDriver,
  isoMirror: string | undefined,
): Offers {
  if (driver === "ipmi") {
    return byHand("IPMI has no virtual media. Mount the image in the controller's own page.");
  }
  if (isoMirror === undefined || actionId === null) {
    return byHand(
      "IRONLEASE_ISO_MIRROR is not set. Set it, or mount the image in the controller's own page.",
    );
  }
  return offer(
    "MOUNT_ISO",
    `Inserts ${mirrorCopy(isoMirror, actionId)}, sets a one-time boot from it and power-cycles the machine. Put the image there first.`,
  );
}

/** The controller gets the operator's copy, never the customer's URL. */
export function mirrorCopy(isoMirror: string, actionId: string): string {
  return `${isoMirror.replace(/\/$/, "")}/${actionId}.iso`;
}
