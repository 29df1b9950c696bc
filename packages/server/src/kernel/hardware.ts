import ipaddr from "ipaddr.js";
import type { ControllerDriver, ControllerDrivers } from "#ports/controllers.ts";
import { accepted, rejected, type Checked } from "./checked.ts";

/** How the service reaches the controllers of machines. */
export interface Hardware {
  readonly drivers: ControllerDrivers;
  /** Addresses and networks. Controllers anywhere else are never contacted. */
  readonly networks: readonly string[];
  /** The URL of the folder with the operator's copies of ISO images. */
  readonly isoMirror: string | undefined;
  readonly times: HardwareTimes;
}

/** Time limits of runs, in milliseconds. */
export interface HardwareTimes {
  /** One call of a controller. */
  readonly callMs: number;
  /** From a command until the power state is seen. */
  readonly powerMs: number;
  /** From a graceful shutdown until the machine is seen off. */
  readonly shutDownMs: number;
  /** Between two reads of the power state. */
  readonly pollMs: number;
}

export const defaultHardwareTimes: HardwareTimes = {
  callMs: 30_000,
  powerMs: 120_000,
  shutDownMs: 90_000,
  pollMs: 2_000,
};

/** How long a living run may be silent. Longer than a call and a pause, so only a crash exceeds it. */
export const runLeaseMs = 120_000;

const shapes: Readonly<Record<ControllerDriver, { pattern: RegExp; example: string }>> = {
  redfish: {
    pattern: /^https:\/\/(\d[\d.]{6,14}|\[[0-9A-Fa-f:.]{2,45}\]):(\d{1,5})$/,
    example: "https://192.0.2.10:443",
  },
  ipmi: {
    pattern: /^(\d[\d.]{6,14}|\[[0-9A-Fa-f:.]{2,45}\]):(\d{1,5})$/,
    example: "192.0.2.10:623",
  },
};

export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

/** Checks that an address has the driver's form and is on a configured network. Names are never resolved. */
export function checkControllerAddress(
  hardware: Pick<Hardware, "networks"> | undefined,
  driver: ControllerDriver,
  address: string,
): Checked<HostAndPort> {
  const { pattern, example } = shapes[driver];
  const [, bracketed = "", digits = ""] = pattern.exec(address) ?? [];
  const host = bracketed.replaceAll(/^\[|\]$/g, "");
  const port = Number(digits);
  const isAddress = bracketed.startsWith("[") ? ipaddr.IPv6.isValid(host) : isIpv4(host);
  if (!isAddress || port < 1 || port > 65_535) {
    return rejected(`must be an IP address and a port such as ${example}`);
  }
  if (hardware === undefined) {
    return rejected("cannot be used: IRONLEASE_HARDWARE_NETWORKS is not set");
  }
  return hardware.networks.some((network) => contains(network, host))
    ? accepted({ host, port })
    : rejected("must be on a network in IRONLEASE_HARDWARE_NETWORKS");
}

function isIpv4(host: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(host);
}

function contains(network: string, host: string): boolean {
  const address = ipaddr.process(host);
  const [base, bits] = network.includes("/")
    ? ipaddr.parseCIDR(network)
    : ([ipaddr.process(network), undefined] as const);
  if (base.kind() !== address.kind()) return false;
  return address.match(base, bits ?? (base.kind() === "ipv4" ? 32 : 128));
}
