import pg, { type ClientConfig } from "pg";
import { databaseHosts } from "#kernel/database-hosts.ts";
import { DatabaseUnavailable } from "#ports/db.ts";
import { translate } from "./connection.ts";

/** Why a host cannot be used. */
const isStandby = "is a read-only standby";

/** Finds the server that accepts writes among the hosts of the URL. New connections go to the one found last. */
export class Primary {
  readonly #urls: readonly string[];
  readonly #config: ClientConfig;
  #url: string;
  #locating: Promise<void> | undefined;

  /** `config` is for the connections that look for the server. */
  constructor(databaseUrl: string, config: ClientConfig) {
    this.#urls = databaseHosts(databaseUrl);
    this.#url = this.#urls[0] ?? databaseUrl;
    this.#config = config;
  }

  get url(): string {
    return this.#url;
  }

  /** With one host, a proxy or an address that moves decides which server answers. */
  get hasChoice(): boolean {
    return this.#urls.length > 1;
  }

  /** Asks all hosts at once. Callers during a search share it. */
  locate(): Promise<void> {
    this.#locating ??= this.#locate().finally(() => {
      this.#locating = undefined;
    });
    return this.#locating;
  }

  async #locate(): Promise<void> {
    if (!this.hasChoice) return;
    try {
      this.#url = await Promise.any(this.#urls.map((url) => this.#writable(url)));
    } catch (error) {
      const reasons = (error as AggregateError).errors as Error[];
      throw new DatabaseUnavailable(
        `no server accepts writes: ${reasons.map(({ message }) => message).join("; ")}`,
        { cause: reasons[0] },
      );
    }
  }

  async #writable(url: string): Promise<string> {
    const client = new pg.Client({ ...this.#config, connectionString: url });
    // Without a listener, a lost connection would end the process.
    client.on("error", () => {});
    try {
      await client.connect();
      await refuseStandby(client);
      return url;
    } catch (error) {
      const { message } = error as Error;
      throw new Error(`${new URL(url).host} ${message === isStandby ? "" : "fails: "}${message}`, {
        cause: error,
      });
    } finally {
      client.end().catch(() => {});
    }
  }
}

/** A pool's client that connects to the current primary. */
export function clientOf(primary: Primary): typeof pg.Client {
  return class extends pg.Client {
    constructor(config?: ClientConfig) {
      super({ ...config, connectionString: primary.url });
    }
  };
}

/** Throws if the server is a standby, which answers reads but refuses every write. */
export async function refuseStandby(client: pg.ClientBase): Promise<void> {
  if (await isReadOnly(client)) throw new DatabaseUnavailable(isStandby);
}

/** Portable, unlike `pg_is_in_recovery()`. Null on an engine without the setting. */
export const readOnlyQuery = `select current_setting('transaction_read_only', true) as read_only`;

export async function isReadOnly(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ read_only: string | null }>(readOnlyQuery);
  return rows[0]?.read_only === "on";
}

/** Connections of a pool, to another server if the primary has moved. */
export function followPrimary(pool: pg.Pool, primary: Primary): Pick<pg.Pool, "connect"> {
  if (!primary.hasChoice) return pool;
  const connect = async () => {
    try {
      return await pool.connect();
    } catch (error) {
      if (!(translate(error) instanceof DatabaseUnavailable)) throw error;
      await primary.locate();
      return pool.connect();
    }
  };
  return { connect };
}
