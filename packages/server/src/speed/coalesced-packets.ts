import type { Duplex } from "node:stream";
import type pg from "pg";

/** The driver's types leave out the connection. TLS replaces its stream while it connects. */
type Connected = Readonly<{ connection: { readonly stream: Duplex } }>;

/**
 * Sends the statements of one turn of the event loop in one packet (ADR 16). Otherwise each one is a system call here and
 * wakes PostgreSQL up.
 */
export function coalescedPackets(Client: typeof pg.Client): typeof pg.Client {
  return class extends Client {
    #isCorked = false;

    override query(...args: unknown[]): never {
      this.#cork();
      return super.query(...(args as [string])) as never;
    }

    #cork(): void {
      if (this.#isCorked) return;
      this.#isCorked = true;
      const { stream } = (this as unknown as Connected).connection;
      stream.cork();
      // After all promises that are settled now: their callbacks send the other statements.
      process.nextTick(() => {
        this.#isCorked = false;
        stream.uncork();
      });
    }
  };
}
