import assert from "node:assert/strict";
import { registerAccount } from "#server/features/accounts/register-account.ts";
import { requestAction } from "#server/features/servers/request-action.ts";
import { setDdosMode } from "#server/features/servers/set-ddos-mode.ts";
import { createDepositAddress } from "#server/features/deposits/create-deposit-address.ts";
import { simulatePayment } from "#server/features/deposits/simulate-payment.ts";
import { watchSettlement } from "#server/features/deposits/watch-settlement.ts";
import { sweep } from "#server/features/housekeeping/sweep.ts";
import { placeOrder } from "#server/features/orders/place-order.ts";
import { renewDueServers } from "#server/features/renewals/renew-due-servers.ts";
import { setRenewal } from "#server/features/servers/set-renewal.ts";
import { requestWithdrawal } from "#server/features/withdrawals/request-withdrawal.ts";
import type { Core } from "#server/kernel/core.ts";
import type { Result } from "#server/ports/result.ts";
import { testClient } from "#test/bare-core.ts";
import { intentOf } from "#test/use-cases.ts";
import { offer, type Cast } from "./cast-members.ts";
import { usernameOf } from "./model/model.ts";
import { paymentName } from "./model/model-payments.ts";
import type { OperationOf, Request } from "./model/operations.ts";
import { wireKey } from "./outcomes.ts";
import { performAdjustment, performStep, performSuspension } from "./perform-desk.ts";
import { systemCall } from "#server/kernel/call.ts";

const destination = "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed";

/** What a request is about, as ids: looked up once, however often the request is sent. */
export interface Subject {
  readonly serverId: string;
  readonly workId: string;
}

/** How a request ended: with an answer, or as a pass that may have met trouble on its way. */
export type Ending =
  | { readonly result: Result<unknown> }
  | { readonly failures: readonly unknown[] };

export async function perform(
  core: Core,
  cast: Cast,
  operation: Request,
  subject: Subject,
): Promise<Ending> {
  switch (operation.kind) {
    case "renew":
      return { failures: (await renewDueServers(core)).failures };
    case "settle":
      return { failures: (await watchSettlement(core)).failures };
    case "sweep":
      await sweep(core);
      return { failures: [] };
    case "register": {
      const username = usernameOf(operation.name);
      const newcomer = { username, password: "a long enough phrase" };
      return { result: await registerAccount(core, testClient, newcomer) };
    }
    case "pay":
      return pay(core, cast, operation);
    case "desk":
      return { result: await performStep(core, cast, operation, subject.workId) };
    case "suspend":
    case "resume":
      return { result: await performSuspension(core, cast, operation, subject.serverId) };
    case "adjust":
      return { result: await performAdjustment(core, cast, operation, accountOf(cast, operation)) };
    default:
      return { result: await performForCustomer(core, cast, operation, subject.serverId) };
  }
}

type OfCustomer = OperationOf<"order" | "withdraw" | "address" | "act" | "ddos" | "renewal">;

function performForCustomer(
  core: Core,
  cast: Cast,
  operation: OfCustomer,
  serverId: string,
): Promise<Result<unknown>> {
  const accountId = accountOf(cast, operation);
  switch (operation.kind) {
    case "order": {
      const choice = { ...offer, term: "monthly", quantity: operation.quantity } as const;
      const intent = intentOf("placeOrder", wireKey(operation.key));
      return placeOrder(core, { accountId, client: testClient, intent }, choice);
    }
    case "withdraw": {
      const wish = { asset: "ETH", destination, usd: operation.cents / 100 } as const;
      const intent = intentOf("requestWithdrawal", wireKey(operation.key));
      return requestWithdrawal(core, { accountId, client: testClient, intent }, wish);
    }
    case "address": {
      const { asset } = operation;
      const intent = intentOf("createDepositAddress", wireKey(operation.key));
      return createDepositAddress(core, { accountId, client: testClient, intent }, { asset });
    }
    case "act": {
      const { action } = operation;
      const intent = intentOf("requestAction", wireKey(operation.key));
      return requestAction(core, { accountId, client: testClient, intent }, { serverId, action });
    }
    case "ddos": {
      const { mode } = operation;
      const intent = intentOf("setDdosMode", wireKey(operation.key));
      return setDdosMode(core, { accountId, client: testClient, intent }, { serverId, mode });
    }
    case "renewal": {
      const { autoRenew } = operation;
      return setRenewal(core, { accountId, client: testClient }, { serverId, autoRenew });
    }
  }
}

function accountOf(cast: Cast, { account }: { readonly account: number }): string {
  return cast.customers[account]?.accountId ?? assert.fail(`there is no account ${account}`);
}

/** The payment is made at the provider, and looked at at once. */
async function pay(core: Core, cast: Cast, operation: OperationOf<"pay">): Promise<Ending> {
  const address = cast.customers[operation.account]?.address ?? assert.fail();
  const amount = (operation.cents / 100).toFixed(2);
  const { confirmations } = operation;
  const payment = { address, amount, confirmations, transactionId: paymentName(operation) };
  const result = await simulatePayment(core, systemCall, payment);
  return result.ok ? { failures: result.value.failures } : { result };
}
