import { generateKeyPairSync } from "node:crypto";
import { customerOf, password } from "#test/service.ts";
import type { Answer } from "#test/https-client.ts";
import { gone, there, type Call, type Fact } from "./acknowledgement.ts";
import type { Chance } from "./chance.ts";
import type { Client } from "./client.ts";

const destination = "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed";
/** Where what is ordered is offered. */
export const regions = ["fra", "ams", "iad", "lax", "sin"] as const;
const assets = ["BTC", "LTC", "XMR", "ETH", "USDC", "USDT"] as const;
const actions = ["reboot", "power_off", "kvm"] as const;

/** The cookies and the token of one sign-in. */
export interface SignedIn {
  readonly cookie: string;
  readonly csrfToken: string;
}

/** What somebody who is signed in asks of the account API. */
export function signedInCall(
  { cookie, csrfToken }: SignedIn,
  method: string,
  path: string,
  body?: unknown,
): Call {
  const headers = { cookie, ...(method === "GET" ? {} : { "x-csrf-token": csrfToken }) };
  return { side: "account", method, path, body, headers };
}

/** A new account, or undefined when nobody could say whether there is one now. */
export async function register(client: Client, username: string): Promise<SignedIn | undefined> {
  const body = { username, password };
  const call: Call = { side: "account", method: "POST", path: "/api/v1/auth/register", body };
  const answer = await client.change(call, () => ({ facts: [there("accounts", { username })] }));
  return answer && customerOf(client.service.send, answer, username);
}

/** Somebody who rents: does one thing after another, and never forgets what was acknowledged. */
export class LoadCustomer {
  readonly username: string;
  readonly #client: Client;
  readonly #chance: Chance;
  readonly #session: SignedIn;
  #keys = 0;
  readonly #serverIds: string[] = [];
  /** Those of them that have been delivered. */
  readonly #activeServerIds: string[] = [];

  constructor(client: Client, chance: Chance, username: string, session: SignedIn) {
    this.#client = client;
    this.#chance = chance;
    this.username = username;
    this.#session = session;
  }

  delivered(serverId: string): void {
    if (this.#serverIds.includes(serverId)) this.#activeServerIds.push(serverId);
  }

  /** One change of any kind that has a key or needs none. */
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
    await this.#chance.pick(steps)();
  }

  async #order(): Promise<void> {
    const regionId = this.#chance.pick(regions);
    const quantity = 1 + this.#chance.below(2);
    const body = { configId: "metal-s", regionId, osId: "debian-13", term: "weekly", quantity };
    const answer = await this.#keyed("POST", "/api/v1/orders", body, (json) => [
      there("orders", { id: json.id }),
      there("journal", { cause: `order/${json.id}` }),
      ...json.serverIds.map((id: string) => there("servers", { id })),
    ]);
    this.#serverIds.push(...(answer?.json.serverIds ?? []));
  }

  async #depositAddress(): Promise<void> {
    const body = { asset: this.#chance.pick(assets) };
    await this.#keyed("POST", "/api/v1/deposit-addresses", body, ({ address }) => [
      there("deposit_addresses", { address }),
    ]);
  }

  async #withdraw(): Promise<void> {
    const body = { asset: "ETH", destination, usd: 10 + this.#chance.below(20) };
    await this.#keyed("POST", "/api/v1/withdrawals", body, ({ id }) => [
      there("withdrawals", { id }),
    ]);
  }

  async #setDdos(): Promise<void> {
    const serverId = this.#chance.pick(this.#serverIds);
    if (serverId === undefined) return this.#order();
    const body = { mode: this.#chance.pick(["ADVANCED", "BASELINE"]) };
    await this.#keyed("PUT", `/api/v1/servers/${serverId}/ddos`, body, () => []);
  }

  async #act(): Promise<void> {
    const serverId = this.#chance.pick(this.#activeServerIds);
    if (serverId === undefined) return this.#depositAddress();
    const body = { action: this.#chance.pick(actions) };
    await this.#keyed("POST", `/api/v1/servers/${serverId}/actions`, body, ({ id }) => [
      there("actions", { id }),
    ]);
  }

  async #addSshKey(): Promise<void> {
    const body = { name: this.#nextKey(), publicKey: newPublicKey() };
    await this.#change("POST", "/api/v1/ssh-keys", body, ({ id }) => [there("ssh_keys", { id })]);
  }

  async #revokeApiKey(): Promise<void> {
    const body = { name: this.#nextKey(), scope: "read" };
    const made = await this.#change("POST", "/api/v1/api-keys", body, () => []);
    if (made === undefined) return;
    const { id } = made.json;
    await this.#change("DELETE", `/api/v1/api-keys/${id}`, undefined, () => [
      gone("api_keys", { id }),
    ]);
  }

  #keyed(method: string, path: string, body: unknown, facts: Facts) {
    return this.#change(method, path, body, facts, { "idempotency-key": this.#nextKey() });
  }

  #change(method: string, path: string, body: unknown, facts: Facts, more: Headers = {}) {
    const call = signedInCall(this.#session, method, path, body);
    const headers = { ...call.headers, ...more };
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
