import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { acceptSigned } from "#server/features/payouts/accept-signed.ts";
import { broadcastPayout } from "#server/features/payouts/broadcast-payout.ts";
import { readPayout } from "#server/features/payouts/payout-record.ts";
import { preparePayout } from "#server/features/payouts/prepare-payout.ts";
import { watchPayouts } from "#server/features/payouts/watch-payouts.ts";
import { requestWithdrawal } from "#server/features/withdrawals/request-withdrawal.ts";
import type { OperatorCall } from "#server/kernel/call.ts";
import type { Core } from "#server/kernel/core.ts";
import type { Engine } from "#server/ports/db.ts";
import { testClient } from "#test/bare-core.ts";
import { operatorCall } from "#test/operators.ts";
import { intentOf, valueOf } from "#test/use-cases.ts";
import { claimWork } from "#test/work.ts";
import type { TestNetwork } from "./chain-kind.ts";
import { confirmationsNeeded, openBed, type DepositBed } from "./deposit-bed.ts";
import type { Payout, PayoutKind } from "./payout-kind.ts";

/** The service with customers who withdraw, and operators who pay them. */
export interface PayoutBed extends DepositBed {
  readonly payoutKind: PayoutKind;
  readonly ada: OperatorCall;
  readonly bob: OperatorCall;
  /** A sum as the service writes amounts of the asset. */
  amountOf(usd: number, rate?: string): string;
  /** A customer with one credited deposit. */
  funded(coins: string): Promise<string>;
  /** A review that the operator has claimed. */
  review(accountId: string, usd: number, by?: OperatorCall, destination?: string): Promise<Review>;
  prepare(by: OperatorCall, ...reviews: readonly Review[]): Promise<Payout>;
  /** Signs and uploads what is to be signed. */
  sign(payout: Payout, by?: OperatorCall): Promise<Payout>;
  broadcast(payout: Payout, by: OperatorCall, core?: Core): Promise<Payout>;
  read(payout: Payout): Promise<Payout>;
  /** A pass over payouts without failures. */
  follow(core?: Core): Promise<{ lapsed: number; confirmed: number; failed: number }>;
  mineAndFollow(blocks?: number): Promise<void>;
}

export interface Review {
  readonly accountId: string;
  readonly workId: string;
  readonly withdrawalId: string;
  readonly destination: string;
}

/** What wallets have that deposits are not paid to. */
const walletUsd = 100;
/** Numbers are exact to so many places. */
const exactDecimals = 8;

export async function openPayoutBed(
  t: TestContext,
  payoutKind: PayoutKind,
  engine: Engine,
  network?: TestNetwork,
): Promise<PayoutBed> {
  const { kind } = payoutKind;
  const bed = await openBed(t, kind, engine, network);
  const { core } = bed;
  await payoutKind.fund(bed.network, walletUsd);
  const [ada, bob] = [await operatorCall(core, "finance"), await operatorCall(core, "finance")];
  const follow: PayoutBed["follow"] = async (instance = core) => {
    const { failures, ...counts } = await watchPayouts(instance);
    assert.deepEqual(failures, []);
    return counts;
  };
  return {
    ...bed,
    payoutKind,
    ada,
    bob,
    follow,
    amountOf: (usd, rate = kind.rate) => {
      const decimals = bed.chain.assets.get(kind.asset)?.decimals ?? 0;
      const exact = Math.min(decimals, exactDecimals);
      return (usd / Number(rate)).toFixed(exact) + "0".repeat(decimals - exact);
    },
    funded: async (coins) => {
      const { accountId, address } = await bed.customer();
      await bed.network.pay({ address, coins });
      await bed.network.mine(confirmationsNeeded);
      assert.equal((await bed.pass()).credited, 1);
      return accountId;
    },
    review: async (accountId, usd, by = ada, to) => {
      const destination = to ?? (await bed.network.foreignAddress());
      const call = { accountId, client: testClient, intent: intentOf("requestWithdrawal") };
      const request = { asset: kind.asset, destination, usd } as const;
      const { id } = (await valueOf(requestWithdrawal(core, call, request))).body;
      const { id: workId } = await core.db.read
        .selectFrom("work")
        .select("id")
        .where("withdrawal_id", "=", id)
        .executeTakeFirstOrThrow();
      await valueOf(claimWork(core, by, workId));
      return { accountId, workId, withdrawalId: id, destination };
    },
    prepare: async (by, ...reviews) => (await valueOf(prepare(core, by, reviews))).body,
    sign: async (payout, by = ada) => {
      const signed = await payoutKind.sign(
        (await valueOf(readPayout(core.db.read, payout.id))).unsigned,
      );
      return valueOf(acceptSigned(core, by, { payoutId: payout.id, signed }));
    },
    broadcast: (payout, by, on = core) => valueOf(broadcastPayout(on, by, payout.id)),
    read: (payout) => valueOf(readPayout(core.db.read, payout.id)),
    mineAndFollow: async (blocks = confirmationsNeeded) => {
      await bed.network.mine(blocks);
      await bed.pass();
      await follow();
    },
  };
}

/** Prepares a payout, which may be refused. */
export function prepare(core: Core, by: OperatorCall, reviews: readonly Pick<Review, "workId">[]) {
  const call = { ...by, intent: intentOf("preparePayout") };
  const workIds = reviews.map(({ workId }) => workId);
  return preparePayout(core, call, workIds, (record) => record);
}
