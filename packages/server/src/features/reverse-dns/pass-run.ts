import type { Core } from "#kernel/core.ts";
import { leasePass } from "#kernel/reverse-dns/pass-lease.ts";
import type { Dns } from "#ports/dns.ts";
import { createAsk, type Ask } from "./ask-name-servers.ts";

/** What one pass uses and counts. */
export interface PassRun {
  readonly core: Core;
  readonly dns: Dns;
  readonly ask: Ask;
  /** Renews the lease. Throws `PassEnded` if the pass must not go on. Called before each step that takes time. */
  readonly proceed: () => Promise<void>;
  /** How many records were changed. */
  changed: number;
}

export interface PassOptions {
  /** Names the instance. */
  readonly holder: string;
  readonly stop?: AbortSignal | undefined;
}

/** The service stops, or another instance has taken the lease. The next pass does the rest. */
export class PassEnded extends Error {
  override readonly name = "PassEnded";
}

export function createPassRun(core: Core, dns: Dns, { holder, stop }: PassOptions): PassRun {
  const proceed = async () => {
    if (stop?.aborted === true) throw new PassEnded("The service stops.");
    if (!(await leasePass(core, holder))) throw new PassEnded("Another instance runs the pass.");
  };
  return { core, dns, ask: createAsk(dns), proceed, changed: 0 };
}
