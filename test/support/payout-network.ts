import { createHash } from "node:crypto";
import { ok, refuse, refuseField } from "#server/kernel/result.ts";
import type {
  BroadcastOutcome,
  PayoutEvidence,
  PayoutFate,
  PayoutOrder,
  PayoutOutput,
  PayoutPayment,
  Payouts,
  PayoutWallet,
  PreparedPayout,
  SentPayout,
} from "#server/ports/payouts.ts";
import type { Result } from "#server/ports/result.ts";
import { SettlementUnavailable, type Asset, type Settlement } from "#server/ports/settlement.ts";

/** A transaction in the pool, which has no confirmations, or in a block. */
export interface NetworkTransaction {
  readonly transactionId: string;
  readonly pins: readonly string[];
  readonly outputs: readonly PayoutOutput[];
  readonly feeUnits: bigint;
  confirmations: number;
}

const firstFee = 1_000n;

/**
 * A chain in memory that pays out. It outlives the service: what was broadcast stays when the service crashes. A test
 * decides what is mined. The wallet has a number of coins, and each of them funds one transaction.
 */
export class PayoutNetwork {
  readonly asset: Asset = "ETH";
  /** A node that does not answer. */
  isDown = false;
  readonly #coins: number;
  readonly #transactions = new Map<string, NetworkTransaction>();

  constructor(coins = 1_000) {
    this.#coins = coins;
  }

  /** All transactions, oldest first. No two spend the same coin. */
  get transactions(): readonly NetworkTransaction[] {
    return [...this.#transactions.values()];
  }

  /** Pays from a wallet that the service does not know. Safe to repeat. */
  pay(transactionId: string, ...outputs: readonly PayoutOutput[]): void {
    if (this.#transactions.has(transactionId)) return;
    this.#add({ transactionId, pins: [], outputs, feeUnits: firstFee, confirmations: 0 });
  }

  /** Buries a transaction that the network has under more blocks. */
  confirm(transactionId: string, confirmations: number): void {
    const found = this.#transactions.get(transactionId);
    if (found !== undefined) found.confirmations = Math.max(found.confirmations, confirmations);
  }

  /** Another transaction of the same key spends the coins of one that is in no block, and is mined. */
  spendElsewhere(unsigned: string, confirmations: number): void {
    const { pins } = read(unsigned);
    const transactionId = `elsewhere-${pins.join()}`;
    const spenders = this.#spendersOf(pins);
    const own = spenders.find((spender) => spender.transactionId === transactionId);
    if (own !== undefined) return this.confirm(transactionId, confirmations);
    if (spenders.some((spender) => spender.confirmations > 0)) return undefined;
    for (const spender of spenders) this.#transactions.delete(spender.transactionId);
    return this.#add({ transactionId, pins, outputs: [], feeUnits: firstFee, confirmations });
  }

  /** What the network knows about a transaction, sent or not. */
  fateOf(unsigned: string): PayoutFate {
    return this.#fateOf(read(unsigned));
  }

  readonly payouts: Payouts = {
    format: "psbt",
    maxOutputs: 3,
    prepare: async (order, wallet) => this.#answer(() => this.#prepare(order, wallet)),
    accept: async ({ unsigned }, signed) =>
      this.#answer(() =>
        signed === signPayout(unsigned)
          ? ok({ transactionId: idOf(unsigned), raw: signed })
          : refuseField("signed", "must be the prepared transaction with its signature"),
      ),
    rehearse: async (raw) => this.#answer(() => this.#refusalOf(read(raw))),
    broadcast: async (raw) => this.#answer(() => this.#broadcast(raw)),
    fate: async (sent) => this.#answer(() => this.#fateOf(sent)),
    verify: async (transactionId, payment) =>
      this.#answer(() => this.#verify(transactionId, payment)),
    balances: async () =>
      this.#answer(() => ({
        units: new Map([[this.asset, BigInt(this.#coins - this.#transactions.size)]]),
        spent: [],
      })),
  };

  #answer<T>(call: () => T): T {
    if (this.isDown) throw new SettlementUnavailable("the node does not answer");
    return call();
  }

  #add(transaction: NetworkTransaction): void {
    this.#transactions.set(transaction.transactionId, transaction);
  }

  #prepare({ outputs, replaces }: PayoutOrder, { taken }: PayoutWallet): Result<PreparedPayout> {
    const pins = replaces?.pins ?? this.#freeCoin(taken);
    if (pins === undefined) {
      return refuse("conflict", { message: "The wallet needs one more coin." });
    }
    const feeUnits = replaces === undefined ? firstFee : replaces.feeUnits * 2n;
    const unsigned = write({ pins, outputs, feeUnits });
    const transactionId = idOf(unsigned);
    return ok({ unsigned, pins, feeUnits, feeAsset: this.asset, transactionId });
  }

  #freeCoin(taken: ReadonlySet<string>): readonly string[] | undefined {
    const spent = new Set(this.transactions.flatMap(({ pins }) => pins));
    for (let index = 0; index < this.#coins; index += 1) {
      const pin = `coin-${index}:0`;
      if (!taken.has(pin) && !spent.has(pin)) return [pin];
    }
    return undefined;
  }

  #broadcast(raw: string): BroadcastOutcome {
    const transaction = read(raw);
    if (this.#transactions.has(transaction.transactionId)) return "KNOWN";
    const rejected = this.#refusalOf(transaction);
    if (rejected !== undefined) return { rejected };
    for (const { transactionId } of this.#spendersOf(transaction.pins)) {
      this.#transactions.delete(transactionId);
    }
    this.#add(transaction);
    return "SENT";
  }

  /** A coin is spent once. In the pool, a higher fee replaces a lower one. */
  #refusalOf({ transactionId, pins, feeUnits }: NetworkTransaction): string | undefined {
    const isStronger = (rival: NetworkTransaction) =>
      rival.transactionId !== transactionId &&
      (rival.confirmations > 0 || rival.feeUnits >= feeUnits);
    return this.#spendersOf(pins).some(isStronger) ? "its coins are spent" : undefined;
  }

  #spendersOf(pins: readonly string[]): readonly NetworkTransaction[] {
    return this.transactions.filter((transaction) =>
      transaction.pins.some((pin) => pins.includes(pin)),
    );
  }

  #fateOf({ transactionId, pins }: Pick<SentPayout, "transactionId" | "pins">): PayoutFate {
    const own = this.#transactions.get(transactionId);
    if (own !== undefined && own.confirmations > 0) {
      const block = { height: 1, hash: `block-of-${transactionId}` };
      return { kind: "MINED", confirmations: own.confirmations, block };
    }
    const rival = this.#spendersOf(pins).find(({ confirmations }) => confirmations > 0);
    if (rival !== undefined) {
      const evidence = `Transaction ${rival.transactionId} spent its coins.`;
      return { kind: "FAILED", evidence, confirmations: rival.confirmations };
    }
    return { kind: "PENDING", isKnown: own !== undefined, searchedHeight: 0 };
  }

  #verify(
    transactionId: string,
    { destination, amountUnits }: Omit<PayoutPayment, "asset">,
  ): PayoutEvidence {
    const found = this.#transactions.get(transactionId);
    if (found === undefined) return { kind: "UNKNOWN" };
    const paid = found.outputs
      .filter((output) => output.destination === destination)
      .reduce((sum, output) => sum + output.amountUnits, 0n);
    return paid < amountUnits
      ? { kind: "NOT_PAID", reason: `It pays ${paid} to ${destination}.` }
      : { kind: "PAID", transactionId, confirmations: found.confirmations };
  }
}

/** The same settlement, whose chain of the network's asset pays out on it. */
export function withPayouts<S extends Settlement>(settlement: S, network: PayoutNetwork): S {
  const chains = settlement.chains.map((chain) =>
    chain.assets.has(network.asset) ? { ...chain, payouts: network.payouts } : chain,
  );
  return { ...settlement, chains };
}

/** Signs what a payout prepared, as an operator's own wallet does. */
export function signPayout(unsigned: string): string {
  return `${unsigned}.${digest(`private key ${unsigned}`)}`;
}

/** The id does not depend on the signature. */
function idOf(unsigned: string): string {
  return digest(unsigned);
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

type Content = Pick<NetworkTransaction, "pins" | "outputs" | "feeUnits">;

function write({ pins, outputs, feeUnits }: Content): string {
  const paid = outputs.map(({ destination, amountUnits }) => [destination, String(amountUnits)]);
  return Buffer.from(JSON.stringify([pins, paid, String(feeUnits)])).toString("base64");
}

function read(raw: string): NetworkTransaction {
  const [unsigned = ""] = raw.split(".");
  const text = Buffer.from(unsigned, "base64").toString();
  const [pins, paid, fee] = JSON.parse(text) as [string[], [string, string][], string];
  return {
    transactionId: idOf(unsigned),
    pins,
    outputs: paid.map(([destination, units]) => ({ destination, amountUnits: BigInt(units) })),
    feeUnits: BigInt(fee),
    confirmations: 0,
  };
}
