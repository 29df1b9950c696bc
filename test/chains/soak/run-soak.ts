import { watchSettlement } from "#server/features/deposits/watch-settlement.ts";
import type { Core } from "#server/kernel/core.ts";
import type { Db } from "#server/ports/db.ts";
import { register } from "#test/bare-core.ts";
import { addressFor } from "#test/deposits.ts";
import { SeededRandom } from "../../simulation/seeded-random.ts";
import { Tally } from "../../simulation/tally.ts";
import type { ChainConnection } from "../chain-kind.ts";
import { createInstance } from "../instance.ts";
import { litecoin } from "../litecoin.ts";
import { ChainView } from "./chain-view.ts";
import { faultyDb } from "./faulty-db.ts";
import { SoakModel } from "./model.ts";
import { brokenInvariants, readRecordedState } from "./recorded-state.ts";
import { SoakChain } from "./soak-chain.ts";

export interface SoakOptions {
  readonly steps: number;
  readonly seed: number;
  /** Opens the migrated database once more, as another process would. */
  readonly open: () => Promise<Db>;
  readonly log?: (line: string) => void;
}

export interface SoakVerdict {
  readonly problems: readonly string[];
  readonly summary: readonly string[];
}

const confirmationsNeeded = 2;
/** Events that no pass sees one by one are as important as those that a pass sees. */
const checkProbability = 0.5;
const mostReorganisedBlocks = 4;
/** A double spend of a deeper payment would reorganise more than that. */
const recentPayments = 6;
const maxCommitsPerPass = 4;

export async function runSoak(options: SoakOptions): Promise<SoakVerdict> {
  const chain = await SoakChain.start();
  try {
    const soak = await Soak.prepare(chain, options);
    return await soak.run();
  } finally {
    await chain.chain.node.stop();
  }
}

/** One run. A seed decides which events happen, but not the ids that the node and its wallet give. */
class Soak {
  readonly #options: SoakOptions;
  readonly #random: SeededRandom;
  readonly #chain: SoakChain;
  readonly #connection: ChainConnection;
  readonly #view: ChainView;
  readonly #model: SoakModel;
  readonly #tally = new Tally();
  readonly #problems: string[] = [];
  readonly #accounts: string[] = [];
  readonly #addresses: string[] = [];
  #now = Date.UTC(2026, 10, 15, 9, 30);
  #core: Core;

  private constructor(options: SoakOptions, chain: SoakChain, connection: ChainConnection, db: Db) {
    this.#options = options;
    this.#random = new SeededRandom(options.seed, "soak");
    this.#chain = chain;
    this.#connection = connection;
    // An early reorganization can move a payment below the block from which the service scans.
    this.#view = new ChainView(chain.chain.node, connection.birthHeight - mostReorganisedBlocks);
    this.#core = this.#instance(db);
    const { finalDepth } = litecoin.open(connection);
    this.#model = new SoakModel(confirmationsNeeded, finalDepth);
  }

  static async prepare(chain: SoakChain, options: SoakOptions): Promise<Soak> {
    const { node } = chain.chain;
    const connection = {
      url: node.url,
      credentialsFile: node.cookieFile,
      birthHeight: await node.rpc<number>("getblockcount"),
      confirmationsNeeded,
    };
    const soak = new Soak(options, chain, connection, await options.open());
    await soak.#passAndCheck();
    for (let customer = 0; customer < 3; customer += 1) {
      soak.#accounts.push((await register(soak.#core)).accountId);
      await soak.#newAddress();
    }
    return soak;
  }

  async run(): Promise<SoakVerdict> {
    const { steps, log } = this.#options;
    for (let step = 1; step <= steps && this.#problems.length === 0; step += 1) {
      this.#now += 1 + this.#random.below(60_000);
      const event = this.#random.pick(this.#events);
      const happened = await event.run();
      this.#tally.add(happened ? "events" : "refused by the node", event.name);
      if (this.#random.happens(checkProbability)) await this.#passAndCheck();
      if (step % 50 === 0) log?.(`${step} of ${steps} steps, ${this.#model.credited} credits`);
    }
    // One more payment, because a short run may have none. Everything that can be mined gets its confirmations.
    await this.#pay();
    await this.#chain.mine(confirmationsNeeded);
    await this.#passAndCheck();
    const { credited, losses } = this.#model;
    const summary = `${credited} payments credited, ${losses} lost for a time after their credit`;
    return { problems: this.#problems, summary: [...this.#tally.lines(), summary] };
  }

  readonly #events = [
    { weight: 28, name: "payment", run: () => this.#pay() },
    { weight: 20, name: "block", run: () => this.#chain.mine(1 + this.#random.below(3)) },
    { weight: 4, name: "empty block", run: () => this.#chain.mineEmpty() },
    {
      weight: 16,
      name: "reorganization",
      run: () =>
        this.#chain.reorganise(
          1 + this.#random.below(mostReorganisedBlocks),
          this.#random.happens(0.3),
        ),
    },
    { weight: 8, name: "replacement", run: () => this.#replace() },
    {
      weight: 5,
      name: "double spend",
      run: () => this.#withRecent((id) => this.#chain.doubleSpend(id)),
    },
    {
      weight: 5,
      name: "old transaction sent again",
      run: () => this.#withRecent((id) => this.#chain.sendAgain(id)),
    },
    { weight: 2, name: "node restart", run: () => this.#restartNode(true) },
    { weight: 3, name: "node killed, pool lost", run: () => this.#restartNode(false) },
    { weight: 4, name: "service restart", run: () => this.#restartService() },
    { weight: 4, name: "new address", run: () => this.#newAddress() },
    { weight: 8, name: "crash during a pass", run: () => this.#crashingPass() },
    { weight: 5, name: "two passes at once", run: () => this.#concurrentPasses() },
  ].flatMap(({ weight, ...event }) => Array.from({ length: weight }, () => event));

  async #pay(): Promise<boolean> {
    const outputs: { address: string; coins: string }[] = [];
    for (let output = 0; output <= this.#random.below(3); output += 1) {
      const isForeign = this.#random.happens(0.15);
      outputs.push({
        address: isForeign
          ? await this.#chain.chain.newAddress()
          : this.#random.pick(this.#addresses),
        coins: (0.001 + this.#random.below(40) / 1000).toFixed(8),
      });
    }
    const [first] = outputs;
    // An equal output looks like the first one under another index.
    if (first !== undefined && this.#random.happens(0.2)) outputs.push(first);
    return this.#chain.pay(outputs);
  }

  async #replace(): Promise<boolean> {
    const waiting = await this.#chain.waiting();
    return waiting.length > 0 && this.#chain.replace(this.#random.pick(waiting));
  }

  async #withRecent(event: (transactionId: string) => Promise<boolean>): Promise<boolean> {
    const recent = this.#chain.sent.slice(-recentPayments);
    return recent.length > 0 && event(this.#random.pick(recent));
  }

  async #restartNode(isOrderly: boolean): Promise<boolean> {
    await this.#chain.restart(isOrderly, async () => {
      const { failures } = await watchSettlement(this.#core);
      if (failures.length === 0) this.#problems.push("A pass without a node reported no failure.");
    });
    return true;
  }

  async #restartService(): Promise<boolean> {
    await this.#core.db.close();
    this.#core = this.#instance(await this.#options.open());
    return true;
  }

  async #newAddress(): Promise<boolean> {
    const accountId = this.#random.pick(this.#accounts);
    // Without a recent scan the service refuses.
    await this.#passAndCheck();
    this.#addresses.push(await addressFor(this.#core, accountId, litecoin.asset));
    return true;
  }

  /** The service is gone before or after one of its commits, and another process continues. */
  async #crashingPass(): Promise<boolean> {
    const outputs = await this.#outputs();
    const fault = {
      write: this.#random.below(maxCommitsPerPass),
      commits: this.#random.happens(0.5),
    };
    await watchSettlement(this.#instance(faultyDb(this.#core.db, fault)));
    this.#model.noteUnfinishedPass(outputs);
    return true;
  }

  async #concurrentPasses(): Promise<boolean> {
    const outputs = await this.#outputs();
    const other = await this.#options.open();
    try {
      const passes = await Promise.all(
        [this.#core, this.#instance(other)].map((core) => watchSettlement(core)),
      );
      for (const { failures } of passes) this.#problems.push(...failures.map(String));
    } finally {
      await other.close();
    }
    this.#model.noteUnfinishedPass(outputs);
    return true;
  }

  async #passAndCheck(): Promise<boolean> {
    const { failures } = await watchSettlement(this.#core);
    this.#problems.push(...failures.map(String));
    const { db } = this.#core;
    const recorded = await readRecordedState(db);
    this.#problems.push(...this.#model.check(await this.#outputs(), recorded));
    this.#problems.push(...(await brokenInvariants(db)));
    return true;
  }

  #outputs() {
    return this.#view.outputs(new Set(this.#addresses));
  }

  #instance(db: Db): Core {
    return createInstance(db, { now: () => this.#now }, litecoin.open(this.#connection));
  }
}
