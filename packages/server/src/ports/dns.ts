/**
 * The DNS server that publishes reverse DNS, and the authoritative name servers that the world asks. Names and zones
 * have no trailing dot. Every call throws `DnsUnavailable` when the server does not answer or does not let us in.
 */
export interface Dns {
  /** The authoritative name servers, as `address:port`. */
  readonly nameServers: readonly string[];
  /** Whether missing reverse zones may be created. */
  readonly createsZones: boolean;
  /** How long a call may take. */
  readonly answerMs: number;
  /** Throws `DnsUnavailable` unless the server can be used. Changes nothing. */
  health(signal: AbortSignal): Promise<DnsHealth>;
  /** All PTR records of a zone by name. Undefined if the server does not have the zone. */
  readZone(zone: string, signal: AbortSignal): Promise<ZoneRecords | undefined>;
  /** Does nothing if the zone exists. */
  createZone(zone: string, signal: AbortSignal): Promise<void>;
  /** Applies all changes or none. Throws `DnsRefused` when the server accepts at least one of them not. */
  changeZone(zone: string, changes: readonly PtrChange[], signal: AbortSignal): Promise<void>;
  /** What one authoritative name server answers. Empty if it has no such record. */
  ask(nameServer: string, name: string): Promise<readonly string[]>;
  /** Whether a name server answers at all. One that refuses a question does. */
  isAnswering(nameServer: string): Promise<boolean>;
}

export interface DnsHealth {
  readonly version: string;
}

export type ZoneRecords = ReadonlyMap<string, readonly string[]>;

/** The only PTR record that the name has from then on. An empty `ptr` removes it. */
export interface PtrChange {
  readonly name: string;
  readonly ptr: string;
}

/** The server cannot be reached, did not answer in time, or refused the key. Retrying may help. */
export class DnsUnavailable extends Error {
  override readonly name: string = "DnsUnavailable";
}

/** A name server did not answer in time. Asking it again takes as long. */
export class DnsSilent extends DnsUnavailable {
  override readonly name = "DnsSilent";
}

/** The server understood a change and does not accept it. */
export class DnsRefused extends Error {
  override readonly name = "DnsRefused";
}
