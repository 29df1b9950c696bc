import type { OperatorCall } from "#server/kernel/call.ts";
import type { Core } from "#server/kernel/core.ts";
import { isoTime } from "#server/kernel/iso-time.ts";
import { createOperatorRates } from "#server/kernel/operator-rates.ts";
import { setRate } from "#server/features/rates/set-rate.ts";
import type { Engine } from "#server/ports/db.ts";
import { createTestCore, type TestCore } from "./core.ts";
import { operatorCall } from "./operators.ts";
import { valueOf } from "./use-cases.ts";

export const hourMs = 3_600_000;

/** A core whose rates are those that operators set, and two operators who may set them. */
export interface RatesCore extends Omit<TestCore, "core"> {
  readonly core: Core;
  readonly ada: OperatorCall;
  readonly bob: OperatorCall;
}

export async function createRatesCore(engine: Engine): Promise<RatesCore> {
  const opened = await createTestCore(engine);
  const core = { ...opened.core, rates: createOperatorRates(opened.core.db, 24 * hourMs) };
  const [ada, bob] = [await operatorCall(core, "finance"), await operatorCall(core, "admin")];
  return { ...opened, core, ada, bob };
}

/** Requests a rate of LTC that is valid for an hour. */
export function requestRate(core: Core, by: OperatorCall, usd: number | string, ms = hourMs) {
  const validUntil = isoTime(core.clock.now() + ms);
  return setRate(core, by, { asset: "LTC", usd, validUntil });
}

/** SET or PROPOSED. */
export async function outcomeOf(asked: ReturnType<typeof requestRate>) {
  return (await valueOf(asked)).kind;
}
