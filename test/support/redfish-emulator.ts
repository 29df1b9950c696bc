import { once } from "node:events";
import { createServer } from "node:https";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ControllerInput } from "#server/features/machines/controller-input.ts";
import { issueAuthority, issueLeaf } from "#server/adapters/system/issue-certificate.ts";

/**
 * A Redfish controller with one machine. Debian's redfishtool and sushy check it in `redfish-clients.test.ts`. Its
 * fields change how it behaves.
 */
export interface RedfishEmulator {
  readonly url: string;
  readonly certificateSha256: string;
  readonly username: string;
  readonly password: string;
  /** What an admin enters to connect it. */
  readonly controller: ControllerInput;
  /** The requests so far, as `GET /redfish/v1`. */
  readonly requests: string[];
  /** The `traceparent` headers of those requests. */
  readonly traces: (string | undefined)[];
  power: "On" | "Off" | "PoweringOff";
  media: string | null;
  readonly boot: { target: string; enabled: string; mode: string };
  behaviour: RedfishBehaviour;
  /** A command that has been accepted, and how many reads still show the old state. */
  accepted: { readonly power: "On" | "Off"; reads: number } | undefined;
  /** Starts over with a machine that is on. */
  reset(): void;
  stop(): Promise<void>;
}

export interface RedfishBehaviour {
  readonly systems?: number;
  /** Reads that still show the old power state after a command. */
  readonly slowReads?: number;
  readonly ignoresShutdown?: boolean;
  /** Stores Continuous instead of Once, as sushy-tools does. */
  readonly bootsContinuously?: boolean;
  readonly forgetsBoot?: boolean;
  readonly mediaBelow?: "system" | "manager";
  /** Refuses any field but Image. */
  readonly refusesInserted?: boolean;
  readonly needsSlash?: boolean;
  readonly hasConsole?: boolean;
  /** A second system, whose link this service would not follow. */
  readonly strangeLink?: boolean;
  /** Repeats the Authorization header, decoded and as it is, in a refusal. */
  readonly echoesPassword?: boolean;
  /** Called with each request before it is carried out. */
  readonly fault?: (request: string) => Fault | undefined | Promise<Fault | undefined>;
}

/** What happens to a request instead of an answer. */
interface Fault {
  /** `stall` sends the beginning of an answer. */
  readonly kind: "hang" | "stall" | "drop" | "status";
  /** Of `status`. 500 by default. */
  readonly status?: number;
  /** Carries out the request first. */
  readonly after?: true;
}

type Json = Record<string, unknown>;

const root = "/redfish/v1";
const credentials = { username: "ironlease", password: "Redfish-Secret-1" };

export async function startRedfishEmulator(host = "127.0.0.1"): Promise<RedfishEmulator> {
  const now = Date.now();
  const authority = await issueAuthority(now);
  const { certificate, keyPem } = await issueLeaf(authority, [host], now, 86_400_000);
  const server = createServer(
    { cert: certificate.toString(), key: keyPem },
    (request, response) => {
      void answer(emulator, request, response);
    },
  );
  server.listen(0, host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const url = `https://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const certificateSha256 = certificate.fingerprint256.replaceAll(":", "").toLowerCase();
  const { username, password: credential } = credentials;
  const emulator: RedfishEmulator = {
    ...credentials,
    url,
    certificateSha256,
    controller: { driver: "redfish", address: url, username, credential, certificateSha256 },
    requests: [],
    traces: [],
    power: "On",
    media: null,
    boot: { target: "None", enabled: "Disabled", mode: "UEFI" },
    behaviour: {},
    accepted: undefined,
    reset: () => {
      Object.assign(emulator, { power: "On", media: null, behaviour: {}, accepted: undefined });
      Object.assign(emulator.boot, { target: "None", enabled: "Disabled", mode: "UEFI" });
      emulator.requests.length = 0;
      emulator.traces.length = 0;
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return emulator;
}

async function answer(
  emulator: RedfishEmulator,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString("utf8");
  const line = `${request.method ?? ""} ${request.url ?? ""}`;
  emulator.traces.push(request.headers["traceparent"] as string | undefined);
  emulator.requests.push(text === "" ? line : `${line} ${text}`);
  const fault = await emulator.behaviour.fault?.(line);
  const [status, body] =
    fault === undefined || fault.after === true ? respond(emulator, request, text) : [500, {}];
  if (fault?.kind === "hang") return;
  if (fault?.kind === "drop") {
    request.socket.destroy();
    return;
  }
  if (fault?.kind === "stall") {
    response.write("{");
    return;
  }
  response.statusCode = fault?.kind === "status" ? (fault.status ?? 500) : status;
  response.setHeader("content-type", "application/json");
  response.setHeader("odata-version", "4.0");
  if (request.method === "GET") response.setHeader("etag", etagOf(emulator));
  response.end(body === undefined ? undefined : JSON.stringify(body));
}

function etagOf({ boot }: RedfishEmulator): string {
  return `W/"${boot.target}-${boot.enabled}"`;
}

type Reply = readonly [status: number, body?: Json];

const refused = (message: string): Json => ({
  error: { code: "Base.1.8.GeneralError", message, "@Message.ExtendedInfo": [] },
});

function respond(emulator: RedfishEmulator, request: IncomingMessage, text: string): Reply {
  const { method, url = "", headers } = request;
  const path = url.replace(/\/$/, "");
  const { username, password } = emulator;
  const expected = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
  const isPublic = path === root || path === "/redfish";
  if (!isPublic && headers.authorization !== expected) {
    const sent = headers.authorization ?? "";
    const [, encoded = ""] = sent.split(" ");
    const echo = `${sent} ${Buffer.from(encoded, "base64").toString("utf8")}`;
    const isEcho = emulator.behaviour.echoesPassword === true;
    return [401, refused(isEcho ? `Wrong password: ${echo}` : "Wrong password.")];
  }
  if (emulator.behaviour.needsSlash === true && method === "GET" && !url.endsWith("/")) {
    return [404, refused("Not found.")];
  }
  const body = (text === "" ? {} : JSON.parse(text)) as Json;
  if (method === "GET") {
    const resource = resources(emulator)[path];
    return resource === undefined ? [404, refused("Not found.")] : [200, resource()];
  }
  if (method === "PATCH") return patchBoot(emulator, headers["if-match"], body);
  return act(emulator, path, body);
}

function patchBoot(emulator: RedfishEmulator, match: string | undefined, body: Json): Reply {
  if (match !== undefined && match !== etagOf(emulator)) return [412, refused("Changed.")];
  const boot = (body["Boot"] ?? {}) as Record<string, string>;
  const { BootSourceOverrideMode: mode, BootSourceOverrideTarget: target } = boot;
  if (mode === undefined || target === undefined) return [400, refused("Send the mode.")];
  const { forgetsBoot, bootsContinuously } = emulator.behaviour;
  if (forgetsBoot === true) return [200, {}];
  const enabled = bootsContinuously === true ? "Continuous" : "Once";
  Object.assign(emulator.boot, { target, mode, enabled });
  return [200, {}];
}

function act(emulator: RedfishEmulator, path: string, body: Json): Reply {
  const { behaviour } = emulator;
  if (path.endsWith("ComputerSystem.Reset")) {
    const type = body["ResetType"];
    if (type === "GracefulShutdown" && behaviour.ignoresShutdown === true) return [204];
    emulator.accepted = { power: type === "On" ? "On" : "Off", reads: behaviour.slowReads ?? 0 };
    return [204];
  }
  if (path.endsWith("VirtualMedia.EjectMedia")) {
    emulator.media = null;
    return [204];
  }
  if (path.endsWith("VirtualMedia.InsertMedia")) {
    if (behaviour.refusesInserted === true && "Inserted" in body) return [400, refused("No.")];
    if (emulator.media !== null) return [409, refused("The drive is not empty.")];
    emulator.media = String(body["Image"]);
    return [204];
  }
  return [404, refused("Not found.")];
}

function powerNow(emulator: RedfishEmulator): string {
  const { accepted } = emulator;
  if (accepted !== undefined) {
    if (accepted.reads <= 0) {
      emulator.power = accepted.power;
      emulator.accepted = undefined;
    } else accepted.reads -= 1;
  }
  return emulator.power;
}

const link = (path: string) => ({ "@odata.id": path });
const typed = (path: string, type: string, name: string): Json => ({
  "@odata.id": path,
  "@odata.type": `#${type}`,
  Id: path.split("/").at(-1),
  Name: name,
});
const collection = (path: string, type: string, members: readonly string[]): Json => ({
  ...typed(path, `${type}Collection.${type}Collection`, "Collection"),
  Members: members.map(link),
  "Members@odata.count": members.length,
});

function resources(emulator: RedfishEmulator): Readonly<Record<string, () => Json>> {
  const { systems = 1, mediaBelow = "manager", hasConsole = true } = emulator.behaviour;
  const system = `${root}/Systems/1`;
  const manager = `${root}/Managers/bmc`;
  const mediaPath = `${mediaBelow === "system" ? system : manager}/VirtualMedia`;
  const paths = Array.from({ length: systems }, (_, index) => `${root}/Systems/${index + 1}`);
  return {
    "/redfish": () => ({ v1: `${root}/` }),
    [root]: () => ({
      ...typed(root, "ServiceRoot.v1_5_0.ServiceRoot", "Root"),
      RedfishVersion: "1.6.0",
      UUID: "92384634-2938-2342-8820-489239905423",
      Systems: link(`${root}/Systems`),
      Managers: link(`${root}/Managers`),
      Links: { Sessions: link(`${root}/SessionService/Sessions`) },
    }),
    [`${root}/Systems`]: () =>
      collection(`${root}/Systems`, "ComputerSystem", [
        ...paths,
        ...(emulator.behaviour.strangeLink === true ? ["https://elsewhere.example/2"] : []),
      ]),
    [`${root}/Managers`]: () => collection(`${root}/Managers`, "Manager", [manager]),
    [system]: () => ({
      ...typed(system, "ComputerSystem.v1_5_0.ComputerSystem", "Machine"),
      PowerState: powerNow(emulator),
      Boot: {
        BootSourceOverrideTarget: emulator.boot.target,
        BootSourceOverrideEnabled: emulator.boot.enabled,
        BootSourceOverrideMode: emulator.boot.mode,
        "BootSourceOverrideTarget@Redfish.AllowableValues": ["None", "Pxe", "Cd", "Hdd"],
      },
      ...(mediaBelow === "system" && { VirtualMedia: link(mediaPath) }),
      Links: { ManagedBy: [link(manager)], Chassis: [] },
      Actions: {
        "#ComputerSystem.Reset": {
          target: `${system}/Actions/ComputerSystem.Reset`,
          "ResetType@Redfish.AllowableValues": ["On", "ForceOff", "GracefulShutdown"],
        },
      },
    }),
    [manager]: () => ({
      ...typed(manager, "Manager.v1_5_0.Manager", "Manager"),
      ...(mediaBelow === "manager" && { VirtualMedia: link(mediaPath) }),
      ...(hasConsole && {
        GraphicalConsole: { ServiceEnabled: true, ConnectTypesSupported: ["KVMIP"] },
      }),
      Links: { ManagerForServers: [link(system)] },
    }),
    [mediaPath]: () => collection(mediaPath, "VirtualMedia", [`${mediaPath}/Cd`]),
    [`${mediaPath}/Cd`]: () => ({
      ...typed(`${mediaPath}/Cd`, "VirtualMedia.v1_3_0.VirtualMedia", "CD"),
      MediaTypes: ["CD", "DVD"],
      Image: emulator.media,
      Inserted: emulator.media !== null,
      Actions: {
        "#VirtualMedia.InsertMedia": { target: `${mediaPath}/Cd/Actions/VirtualMedia.InsertMedia` },
        "#VirtualMedia.EjectMedia": { target: `${mediaPath}/Cd/Actions/VirtualMedia.EjectMedia` },
      },
    }),
  };
}
