import { generateKeyPairSync } from "node:crypto";
import { customerOf, password } from "#test/service.ts";
import type { Answer } from "#test/https-client.ts";
import { absent, present, type Call, type Fact } from "./acknowledgement.ts";
import type { SeededRandom } from "./seeded-random.ts";
import type { Client } from "./client.ts";

const destination = "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed";
/** Regions that offer the ordered configuration. */
export const regions = ["fra", "ams", "iad", "lax", "sin"] as const;
const assets = ["BTC", "LTC", "XMR", "ETH", "USDC", "USDT"] as const;
const actions = ["reboot", "power_off", "kvm"] as const;

export interface SignedIn {
  readonly cookie: string;
  readonly csrfToken: string;
}

export function signedInCall(
  { cookie, csrfToken }: SignedIn,
  method: string,
  path: string,
  body?: unknown,
): Call {
  const headers = { cookie, ...(method === "GET" ? {} : { "x-csrf-token": csrfToken }) };
  return { side: "account", method, path, body, headers };
}

/** Registers an account. Returns undefined when the outcome is unknown. */
export async function register(client: Client, username: string): Promise<SignedIn | undefined> {
  const body = { username, password };
  const call: Call = { side: "account", method: "POST", path: "/api/v1/auth/register", body };
  const answer = await client.change(call, () => ({ facts: [present("accounts", { username })] }));
  return answer && customerOf(client.service.send, answer, username);
}

/** A customer who makes random changes one after another. */
export class LoadCustomer {
  readonly username: string;
  readonly #client: Client;
  readonly #random: SeededRandom;
  readonly #session: SignedIn;
  #keys = 0;
  readonly #serverIds: string[] = [];
  readonly #activeServerIds: string[] = [];

  constructor(client: Client, random: SeededRandom, username: string, session: SignedIn) {
    this.#client = client;
    this.#random = random;
    this.username = username;
    this.#session = session;
  }

  delivered(serverId: string): void {
    if (this.#serverIds.includes(serverId)) this.#activeServerIds.push(serverId);
  }

  /** Makes one random change. */
  async step(): Promise<void> {
    const steps = [
      () => this.#order(),
      () => this.#order(),
      () => this.#depositAddress(),
      () => this.#withdraw(),
      () => this.#setDdos(),
      () => this.#act(),
      () => this.#addSshKey(),
      () => this.#revokeApiKey(),
    ] as const;
    await this.#random.pick(steps)();
  }

  async #order(): Promise<void> {
    const regionId = this.#random.pick(regions);
    const quantity = 1 + this.#random.below(2);
    const body = { configId: "metal-s", regionId, osId: "debian-13", term: "weekly", quantity };
    const answer = await this.#keyed("POST", "/api/v1/orders", body, (json) => [
      present("orders", { id: json.id }),
      present("journal", { cause: `order/${json.id}` }),
      ...json.serverIds.map((id: string) => present("servers", { id })),
    ]);
    this.#serverIds.push(...(answer?.json.serverIds ?? []));
  }

  async #depositAddress(): Promise<void> {
    const body = { asset: this.#random.pick(assets) };
    await this.#keyed("POST", "/api/v1/deposit-addresses", body, ({ address }) => [
      present("deposit_addresses", { address }),
    ]);
  }

  async #withdraw(): Promise<void> {
    const body = { asset: "ETH", destination, usd: 10 + this.#random.below(20) };
    await this.#keyed("POST", "/api/v1/withdrawals", body, ({ id }) => [
      present("withdrawals", { id }),
    ]);
  }

  async #setDdos(): Promise<void> {
    const serverId = this.#random.pick(this.#serverIds);
    if (serverId === undefined) return this.#order();
    const body = { mode: this.#random.pick(["ADVANCED", "BASELINE"]) };
    await this.#keyed("PUT", `/api/v1/servers/${serverId}/ddos`, body, () => []);
  }

  async #act(): Promise<void> {
    const serverId = this.#random.pick(this.#activeServerIds);
    if (serverId === undefined) return this.#depositAddress();
    const body = { action: this.#random.pick(actions) };
    await this.#keyed("POST", `/api/v1/servers/${serverId}/actions`, body, ({ id }) => [
      present("actions", { id }),
    ]);
  }

  async #addSshKey(): Promise<void> {
    const body = { name: this.#nextKey(), publicKey: newPublicKey() };
    await this.#change("POST", "/api/v1/ssh-keys", body, ({ id }) => [present("ssh_keys", { id })]);
  }

  async #revokeApiKey(): Promise<void> {
    const body = { name: this.#nextKey(), scope: "read" };
    const created = await this.#change("POST", "/api/v1/api-keys", body, () => []);
    if (created === undefined) return;
    const { id } = created.json;
    await this.#change("DELETE", `/api/v1/api-keys/${id}`, undefined, () => [
      absent("api_keys", { id }),
    ]);
  }

  #keyed(method: string, path: string, body: unknown, facts: Facts) {
    return this.#change(method, path, body, facts, { "idempotency-key": this.#nextKey() });
  }

  #change(method: string, path: string, body: unknown, facts: Facts, extraHeaders: Headers = {}) {
    const call = signedInCall(this.#session, method, path, body);
    const headers = { ...call.headers, ...extraHeaders };
    return this.#client.change({ ...call, headers }, (json) => ({ facts: facts(json) }));
  }

  #nextKey(): string {
    return `key-${this.username}-${(this.#keys += 1)}`;
  }
}

type Facts = (json: Answer["json"]) => readonly Fact[];
type Headers = Readonly<Record<string, string>>;

function newPublicKey(): string {
  const { x = "" } = generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" });
  const fields = [Buffer.from("ssh-ed25519"), Buffer.from(x, "base64url")];
  const encoded = fields.flatMap((field) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(field.length);
    return [length, field];
  });
  return `ssh-ed25519 ${Buffer.concat(encoded).toString("base64")}`;
}
