import { chmod, mkdir, mkdtemp, readFile, realpath, writeFile } from "node:fs/promises";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { readyComponent } from "./components.ts";
import { superviseProcess } from "./supervised-process.ts";

/** Debian's ipmi_sim: a controller that speaks real IPMI 2.0, with one machine. */
export interface IpmiSim {
  readonly address: string;
  readonly username: string;
  readonly password: string;
  /** A program that runs ipmitool with its own libraries. */
  readonly ipmitool: string;
  set(name: "power" | "boot", value: string): Promise<void>;
  get(name: "power" | "boot"): Promise<string>;
  /** With `ignore`, a graceful shutdown has no effect. */
  onShutdown(what: "power off" | "ignore"): Promise<void>;
  stop(): Promise<void>;
}

const credentials = { username: "ironlease", password: "Ipmi-Secret-1" };
const readinessChecks = 200;

export async function startIpmiSim(host: "127.0.0.1" | "::1" = "127.0.0.1"): Promise<IpmiSim> {
  const { programs, environment } = await readyComponent("ipmi");
  const { ipmi_sim: program = "", ipmitool: tool = "" } = programs;
  const folder = await realpath(await mkdtemp(join(tmpdir(), "ironlease-ipmi-")));
  const port = await findFreeUdpPort(host);
  const chassis = join(folder, "chassis.sh");
  const ipmitool = join(folder, "ipmitool.sh");
  const { username, password } = credentials;
  const write = (name: string, text: string) => writeFile(join(folder, name), text);
  await mkdir(join(folder, "state"));
  await write("power", "1\n");
  await write("boot", "none\n");
  await write("shutdown-is", "power off\n");
  await write("chassis.sh", chassisScript(folder));
  await write("ipmitool.sh", toolScript(tool, environment));
  await chmod(chassis, 0o700);
  await chmod(ipmitool, 0o700);
  await write("lan.conf", configuration({ host, port, chassis, username, password }));
  await write("sim.emu", emulation);
  const supervised = superviseProcess({
    folder,
    program,
    arguments: ["-c", "lan.conf", "-f", "sim.emu", "-s", "state", "-n"],
    environment,
  });
  await untilReady(host, port);
  return {
    ...credentials,
    ipmitool,
    address: `${host === "::1" ? "[::1]" : host}:${port}`,
    set: (name, value) => write(name, `${value}\n`),
    get: async (name) => (await readFile(join(folder, name), "utf8")).trim(),
    onShutdown: (what) => write("shutdown-is", `${what}\n`),
    stop: async () => void (await supervised.remove()),
  };
}

/** The state of the machine is in files, which ipmi_sim reads and changes through this script. */
function chassisScript(folder: string): string {
  return `#!/bin/sh
cd '${folder}'
shift
how=$1
shift
if [ "$how" = get ]; then
  for name in "$@"; do echo "$name:$(cat "$name")"; done
elif [ "$1" = shutdown ]; then
  if [ "$(cat shutdown-is)" = "power off" ]; then echo 0 > power; fi
else
  echo "$2" > "$1"
fi
`;
}

function toolScript(tool: string, environment: Readonly<Record<string, string>>): string {
  const variables = Object.entries(environment).map(([name, value]) => `${name}='${value}'`);
  return `#!/bin/sh\nexec /usr/bin/env ${variables.join(" ")} '${tool}' "$@"\n`;
}

interface Configuration {
  readonly host: string;
  readonly port: number;
  readonly chassis: string;
  readonly username: string;
  readonly password: string;
}

function configuration({ host, port, chassis, username, password }: Configuration): string {
  const levels = ["callback", "user", "operator", "admin"];
  return `name "test"
set_working_mc 0x20
  startlan 1
    addr ${host} ${port}
    priv_limit admin
    ${levels.map((level) => `allowed_auths_${level} none md2 md5 straight`).join("\n    ")}
    guid a123456789abcdefa123456789abcdef
  endlan
  chassis_control "${chassis} 0x20"
  user 2 true "${username}" "${password}" admin 10 none md2 md5 straight
`;
}

const emulation = `mc_setbmc 0x20
mc_add 0x20 0 no-device-sdrs 0x23 9 8 0x9f 0x1291 0xf02 persist_sdr
sel_enable 0x20 1000 0x0a
mc_enable 0x20
`;

async function findFreeUdpPort(host: string): Promise<number> {
  const socket = createSocket(familyOf(host)).bind(0, host);
  await once(socket, "listening");
  const { port } = socket.address();
  socket.close();
  return port;
}

/** Sends an ASF ping, which every controller answers, until one is answered. */
async function untilReady(host: string, port: number): Promise<void> {
  const ping = Buffer.from("06 00 ff 06 00 00 11 be 80 00 00 00".replaceAll(" ", ""), "hex");
  const socket = createSocket(familyOf(host));
  const answered = once(socket, "message").then(() => true);
  try {
    for (let check = 0; check < readinessChecks; check += 1) {
      socket.send(ping, port, host);
      if (await Promise.race([answered, delay(50, false)])) return;
    }
    throw new Error("ipmi_sim does not answer");
  } finally {
    socket.close();
  }
}

function familyOf(host: string): "udp4" | "udp6" {
  return host.includes(":") ? "udp6" : "udp4";
}
