import { ControllerRefused, type ConnectController, type Power } from "#ports/controllers.ts";
import { createRedfishHttp, type Fields, type RedfishHttp } from "./redfish-http.ts";
import { at, firstLink, linksIn, pathIn, text, texts } from "./redfish-fields.ts";
import { findDrive, insertedImage, insertImage } from "./virtual-media.ts";

const resetTypes = { ON: "On", OFF: "ForceOff", SHUT_DOWN: "GracefulShutdown" } as const;
const bootTargets = { NETWORK: "Pxe", CD: "Cd" } as const;

/** A controller that speaks Redfish (DMTF DSP0266). */
export const connectRedfish: ConnectController = (target, calls) => {
  const http = createRedfishHttp(target, calls);
  let path: Promise<string> | undefined;
  let drive: Promise<string> | undefined;
  const systemPath = (): Promise<string> => (path ??= findSystem(http));
  const readSystem = async (observe: (system: Fields) => string | null = observePower) =>
    http.get(await systemPath(), observe);
  const drivePath = (): Promise<string> =>
    (drive ??= readSystem().then(async ({ body: system }) =>
      findDrive(http, [system, await readManager(http, system)]),
    ));

  return {
    power: async () => powerOf((await readSystem()).body),
    command: async (what) => {
      const { body: system } = await readSystem();
      const reset = at(system, "Actions", "#ComputerSystem.Reset");
      const type = resetTypes[what];
      const allowed = texts(reset["ResetType@Redfish.AllowableValues"]);
      if (allowed.length > 0 && !allowed.includes(type)) {
        throw new ControllerRefused(`The controller does not offer the reset type ${type}.`);
      }
      await accept(http, pathIn(reset["target"]), { ResetType: type });
    },
    bootOnce: async (device) => {
      const wanted = bootTargets[device];
      const { body: system, etag } = await readSystem(observeBoot);
      const tag = etag ?? text(system["@odata.etag"]);
      const mode = text(at(system, "Boot")["BootSourceOverrideMode"]) ?? "UEFI";
      // Some controllers forget the mode, and then boot in the other one, unless it is sent each time.
      const boot = {
        BootSourceOverrideTarget: wanted,
        BootSourceOverrideEnabled: "Once",
        BootSourceOverrideMode: mode,
      };
      const answer = await http.send("PATCH", await systemPath(), { Boot: boot }, tag);
      if (answer.status >= 300) {
        throw new ControllerRefused(`The controller refused the boot device (${answer.status}).`);
      }
    },
    bootDevice: async () => {
      const { body: system } = await readSystem(observeBoot);
      const { BootSourceOverrideTarget: device, BootSourceOverrideEnabled: enabled } = at(
        system,
        "Boot",
      );
      if (enabled === "Disabled") return undefined;
      if (device === bootTargets.NETWORK) return "NETWORK";
      return device === bootTargets.CD ? "CD" : undefined;
    },
    insertMedia: async (url) => insertImage(http, await drivePath(), url),
    media: async () => insertedImage(http, await drivePath()),
    console: async () => {
      const { body: system } = await readSystem();
      const manager = await readManager(http, system, (body) =>
        observeConsole(body, target.address),
      );
      if (at(manager, "GraphicalConsole")["ServiceEnabled"] !== true) {
        throw new ControllerRefused(
          "The controller offers no remote console. Open its own page, or connect a screen and keyboard.",
        );
      }
    },
  };
};

/** Posts to an action. Everything but a refusal counts as accepted. */
async function accept(http: RedfishHttp, path: string | undefined, body: object): Promise<void> {
  if (path === undefined) throw new ControllerRefused("The controller offers no power commands.");
  const { status } = await http.send("POST", path, body);
  if (status >= 300) throw new ControllerRefused(`The controller refused the command (${status}).`);
}

/** With several systems nothing tells which is this machine, and the wrong one may be another customer's. */
async function findSystem(http: RedfishHttp): Promise<string> {
  const { body: root } = await http.get("/redfish/v1/");
  const systems = firstLink(root["Systems"]) ?? "/redfish/v1/Systems";
  const { body } = await http.get(systems, (collection) => `systems: ${countMembers(collection)}`);
  const count = countMembers(body);
  if (count > 1) {
    throw new ControllerRefused(
      `The controller manages ${count} systems, and nothing tells which one is this machine. Do it by hand.`,
    );
  }
  const [only] = linksIn(body["Members"]);
  if (only === undefined) throw new ControllerRefused("The controller has no system.");
  return only;
}

/** Counts members on other pages too, and those whose links cannot be followed. */
function countMembers({ Members: members, "Members@odata.count": count }: Fields): number {
  const listed = Array.isArray(members) ? members.length : 0;
  return Math.max(listed, typeof count === "number" ? count : 0);
}

async function readManager(
  http: RedfishHttp,
  system: Fields,
  observe?: (manager: Fields) => string | null,
): Promise<Fields> {
  const [manager] = linksIn(at(system, "Links")["ManagedBy"]);
  if (manager === undefined) return {};
  return (await http.get(manager, observe)).body;
}

/** States such as PoweringOff are neither. */
function powerOf({ PowerState: state }: Fields): Power | undefined {
  if (state === "On") return "ON";
  return state === "Off" ? "OFF" : undefined;
}

function observePower(system: Fields): string {
  return `power ${powerOf(system) ?? text(system["PowerState"]) ?? "unknown"}`;
}

function observeBoot(system: Fields): string {
  const boot = at(system, "Boot");
  const [target, enabled, mode] = ["Target", "Enabled", "Mode"].map(
    (name) => text(boot[`BootSourceOverride${name}`]) ?? "not given",
  );
  const advice = enabled === "Continuous" ? "; reset it after this boot" : "";
  return `boot ${target}, ${enabled}, ${mode}${advice}`;
}

function observeConsole(manager: Fields, address: string): string | null {
  const console = at(manager, "GraphicalConsole");
  if (console["ServiceEnabled"] !== true) return "no remote console";
  const types = texts(console["ConnectTypesSupported"]);
  return `console at ${address}/${types.length > 0 ? ` (${types.join(", ")})` : ""}`;
}
