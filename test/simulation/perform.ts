import assert from "node:assert/strict";
import { registerAccount } from "#server/features/accounts/register-account.ts";
import { saveCatalogue } from "#server/features/catalogue/save-catalogue.ts";
import { acceptQuote } from "#server/features/servers/accept-quote.ts";
import { cancelServer } from "#server/features/servers/cancel-server.ts";
import { requestAction } from "#server/features/servers/request-action.ts";
import { setDdosMode } from "#server/features/servers/set-ddos-mode.ts";
import { createDepositAddress } from "#server/features/deposits/create-deposit-address.ts";
import { simulatePayment } from "#server/features/deposits/simulate-payment.ts";
import { watchSettlement } from "#server/features/deposits/watch-settlement.ts";
import { sweep } from "#server/features/housekeeping/sweep.ts";
import { signLiabilities } from "#server/features/liabilities/sign-liabilities.ts";
import { placeOrder } from "#server/features/orders/place-order.ts";
import { renewDueServers } from "#server/features/renewals/renew-due-servers.ts";
import { setRenewal } from "#server/features/servers/set-renewal.ts";
import { setWithdrawalLock } from "#server/features/withdrawal-addresses/set-lock.ts";
import { requestWithdrawal } from "#server/features/withdrawals/request-withdrawal.ts";
import type { Core } from "#server/kernel/core.ts";
import type { Result } from "#server/ports/result.ts";
import { testClient } from "#test/bare-core.ts";
import { intentOf } from "#test/use-cases.ts";
import { catalogueWith } from "./catalogue.ts";
import { offer, type Fixture } from "./fixture.ts";
import { destinationOf, usernameOf, type CustomersRequest } from "./model/model.ts";
import { paymentName } from "./model/model-payments.ts";
import type { OperationOf, Request } from "./model/operations.ts";
import { wireKey } from "./outcomes.ts";
import { performAdjustment, performWorkStep, performSuspension } from "./perform-operator.ts";
import { performFollow, performPayoutStep, performPreparation } from "./perform-payout.ts";
import type { ServiceProcess } from "./process.ts";
import type { Attempted } from "./subject.ts";
import { systemCall } from "#server/kernel/call.ts";
import { addWithdrawalAddress } from "#server/features/withdrawal-addresses/add-address.ts";
import { removeWithdrawalAddress } from "#server/features/withdrawal-addresses/remove-address.ts";
import { isAccessRequest } from "./model/model-access.ts";
import { performAccess, signedIn } from "./perform-access.ts";

/** A use case returns a result. A background pass returns its failures. */
export type PerformResult =
  | { readonly result: Result<unknown> }
  | { readonly failures: readonly unknown[] };

export async function perform(
  process: Pick<ServiceProcess, "core" | "network">,
  fixture: Fixture,
  operation: Request,
  subject: Attempted,
): Promise<PerformResult> {
  const { core } = process;
  if (isAccessRequest(operation)) {
    const customer = customerOf(fixture, operation);
    return { result: await performAccess(core, customer, operation, subject.sent) };
  }
  switch (operation.kind) {
    case "renew":
      return { failures: (await renewDueServers(core)).failures };
    case "settle":
      return { failures: (await watchSettlement(core)).failures };
    case "sweep":
      await sweep(core);
      await signLiabilities(core);
      return { failures: [] };
    case "register": {
      const username = usernameOf(operation.name);
      const registration = { username, password: "a long enough phrase" };
      return { result: await registerAccount(core, testClient, registration) };
    }
    case "pay":
      return pay(core, fixture, operation);
    case "workStep":
      return { result: await performWorkStep(process, fixture, operation, subject) };
    case "prepare": {
      const { workIds } = subject;
      return { result: await performPreparation(process, fixture, operation, workIds) };
    }
    case "payoutStep":
      return { result: await performPayoutStep(process, fixture, operation, subject.payout) };
    case "follow":
      return { failures: await performFollow(process, operation, subject.payout) };
    case "suspend":
    case "resume":
      return { result: await performSuspension(core, fixture, operation, subject.serverId) };
    case "sell":
      return { result: await saveCatalogue(core, fixture.admin, catalogueWith(operation)) };
    case "adjust":
      return {
        result: await performAdjustment(core, fixture, operation, accountOf(fixture, operation)),
      };
    default:
      return { result: await performForCustomer(core, fixture, operation, subject) };
  }
}

function performForCustomer(
  anyone: Core,
  fixture: Fixture,
  operation: CustomersRequest,
  { serverId, sent }: Attempted,
): Promise<Result<unknown>> {
  const accountId = accountOf(fixture, operation);
  const core = signedIn(anyone, accountId, sent.session);
  switch (operation.kind) {
    case "order": {
      const choice = { ...offer, term: "monthly", quantity: operation.quantity } as const;
      const intent = intentOf("placeOrder", wireKey(operation.key));
      return placeOrder(core, { accountId, client: testClient, intent }, choice);
    }
    case "withdraw": {
      const destination = destinationOf(operation);
      const withdrawal = { asset: "ETH", destination, usd: operation.cents / 100 } as const;
      const intent = intentOf("requestWithdrawal", wireKey(operation.key));
      return requestWithdrawal(core, { accountId, client: testClient, intent }, withdrawal);
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
    case "accept": {
      const usd = operation.cents / 100;
      const intent = intentOf("acceptQuote", wireKey(operation.key));
      return acceptQuote(core, { accountId, client: testClient, intent }, { serverId, usd });
    }
    case "cancel": {
      const intent = intentOf("cancelServer", wireKey(operation.key));
      return cancelServer(core, { accountId, client: testClient, intent }, serverId);
    }
    case "renewal": {
      const { autoRenew } = operation;
      return setRenewal(core, { accountId, client: testClient }, { serverId, autoRenew });
    }
    case "lock":
      return setWithdrawalLock(core, { accountId, client: testClient }, operation.locked);
    case "saveAddress": {
      const destination = destinationOf(operation);
      const address = { asset: "ETH", destination, label: "model" } as const;
      return addWithdrawalAddress(core, { accountId, client: testClient }, address);
    }
    case "removeAddress":
      return removeWithdrawalAddress(core, { accountId, client: testClient }, sent.addressId);
  }
}

function customerOf({ customers }: Fixture, { account }: { readonly account: number }) {
  return customers[account] ?? assert.fail(`There is no account ${account}.`);
}

function accountOf(fixture: Fixture, operation: { readonly account: number }): string {
  return customerOf(fixture, operation).accountId;
}

/** Simulates the payment at the provider and runs a settlement pass at once. */
async function pay(
  core: Core,
  fixture: Fixture,
  operation: OperationOf<"pay">,
): Promise<PerformResult> {
  const address = fixture.customers[operation.account]?.address ?? assert.fail();
  const amount = (operation.cents / 100).toFixed(2);
  const { confirmations } = operation;
  const payment = { address, amount, confirmations, transactionId: paymentName(operation) };
  const result = await simulatePayment(core, systemCall, payment);
  return result.ok ? { failures: result.value.failures } : { result };
}
