import type { AnswerOf, Operations } from "@ironlease/contract";
import {
  listLateDeposits,
  listLostDeposits,
  listWaitingDeposits,
} from "#features/deposits/list-all-deposits.ts";
import { listTroubledPayouts } from "#features/payouts/list-payouts.ts";
import { currentRates, type AssetRate } from "#features/rates/list-rates.ts";
import {
  lateDepositAlarm,
  lostAlarm,
  payoutAlarm,
  type SettlementAlarm,
} from "#features/settlement/alarms.ts";
import { readSettlement, type ChainState } from "#features/settlement/read-settlement.ts";
import type { Core } from "#kernel/core.ts";
import { isoTime, isoTimeOrNull } from "#kernel/iso-time.ts";
import { ok } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";
import { depositOnWire } from "#http/handlers/deposits.ts";
import { rateOnWire } from "./rates.ts";

type Answer = AnswerOf<Operations["readSettlement"]>["body"];

export function settlementHandlers(core: Core): Handlers<"readSettlement"> {
  const connected = (core.settlement?.chains ?? []).flatMap(({ assets }) => [...assets.keys()]);
  return {
    readSettlement: async () => {
      const [{ chains, alarms }, rates, waiting, lost, late, troubled] = await Promise.all([
        readSettlement(core),
        currentRates(core, connected),
        listWaitingDeposits(core),
        listLostDeposits(core),
        listLateDeposits(core),
        listTroubledPayouts(core),
      ]);
      const body: Answer = {
        chains: chains.map(chainOnWire),
        rates: rates.map(settlementRate),
        waiting: waiting.map(depositOnWire),
        alarms: [
          ...lost.map(lostAlarm),
          ...late.map(lateDepositAlarm),
          ...troubled.map(payoutAlarm),
          ...alarms,
        ].map(alarmOnWire),
      };
      return ok({ status: 200, body });
    },
  };
}

/** Without the reason, which `listAllRates` gives. */
function settlementRate(listed: AssetRate) {
  const { asset, usd, at, validUntil, sources } = rateOnWire(listed);
  return { asset, usd, at, validUntil, sources };
}

function chainOnWire({ assets, scannedAt, balances, ...chain }: ChainState) {
  return {
    ...chain,
    assets: [...assets],
    scannedAt: isoTimeOrNull(scannedAt),
    balances: balances.map(({ ledgerUnits, walletAt, ...balance }) => ({
      ...balance,
      walletAt: isoTimeOrNull(walletAt),
      ledgerUnits: String(ledgerUnits),
    })),
  };
}

function alarmOnWire({ at, ...alarm }: SettlementAlarm) {
  return { ...alarm, at: isoTime(at) };
}
