/**
 * The management controller of a machine (BMC). Every call is bounded in time, and each exchange is recorded before
 * the next one begins. Errors are one of the three classes below.
 */
export interface Controller {
  /** Undefined when the controller gives no clear state. An unknown state is never OFF. */
  power(): Promise<Power | undefined>;
  /** Resolves when the controller has accepted the command, which does not mean that it has been carried out. */
  command(what: PowerCommand): Promise<void>;
  /** Asks the controller to boot from the device at the next start only. */
  bootOnce(device: BootDevice): Promise<void>;
  /** The device of the next start. Undefined for any that a run does not set. */
  bootDevice(): Promise<BootDevice | undefined>;
  /** Inserts an image as virtual media, in place of another one. */
  insertMedia(url: string): Promise<void>;
  /** The image that is inserted. */
  media(): Promise<string | undefined>;
  /** Records the address of the remote console. */
  console(): Promise<void>;
}

export type Power = "ON" | "OFF";
export type PowerCommand = "ON" | "OFF" | "SHUT_DOWN";
export type BootDevice = "NETWORK" | "CD";

export type ControllerDriver = "redfish" | "ipmi";

export interface ControllerTarget {
  /** `https://IP:PORT` for Redfish, `IP:PORT` for IPMI. */
  readonly address: string;
  readonly username: string;
  readonly credential: string;
  /** In lower-case hex. Null for a certificate of a trusted authority. */
  readonly certificateSha256: string | null;
}

/** One request to a controller and its answer, without secrets. */
export interface Exchange {
  readonly request: string;
  readonly answer: string;
  /** What the answer says about the machine. */
  readonly observed: string | null;
}

export interface ControllerCalls {
  /** Stores an exchange. If it fails, the controller is not called again. */
  record(exchange: Exchange): Promise<void>;
  /** The time limit of one call. */
  readonly callMs: number;
  readonly signal: AbortSignal;
}

export type ConnectController = (target: ControllerTarget, calls: ControllerCalls) => Controller;
export type ControllerDrivers = Readonly<Record<ControllerDriver, ConnectController>>;

/** The controller answered and did nothing, for example because the password is wrong. */
export class ControllerRefused extends Error {
  override readonly name = "ControllerRefused";
}

/** The controller was not reached, so it did nothing. */
export class ControllerUnreachable extends Error {
  override readonly name = "ControllerUnreachable";
}

/** The controller got the call but gave no usable answer. It may have carried it out. */
export class ControllerSilent extends Error {
  override readonly name = "ControllerSilent";
}
