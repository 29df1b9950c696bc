import assert from "node:assert/strict";
import { seedDemo } from "#server/commands/preview/demo.ts";
import { watchSettlement } from "#server/features/deposits/watch-settlement.ts";
import { customerOf, password, startTestService } from "./service.ts";
import type { Customer, TestService, TestServiceOptions } from "./service.ts";

/** The service with the preview's demo data, and shortcuts for payers and operators. */
export interface ConsoleService extends TestService {
  /** Pays a simulated address and runs a settlement pass. A repeated transaction id updates that payment. */
  pay(address: string, amount: string, payment?: PaymentOptions): Promise<void>;
  /** Completes the server's oldest work item of a kind as an operator. */
  complete(kind: "PROVISION" | "SERVER_ACTION", serverId: string, body: object): Promise<void>;
  /** Completes the server's PROVISION work item as an operator. */
  deliver(serverId: string, hostname?: string): Promise<void>;
  signIn(username: string): Promise<Customer>;
  /** By its clock. */
  readonly startedDaysAgo: number;
}

interface PaymentOptions {
  readonly confirmations?: number;
  readonly transactionId?: string;
}

export async function startConsoleService(
  settings: Readonly<Record<string, string>> = {},
  {
    startedDaysAgo = 0,
    ...options
  }: Pick<TestServiceOptions, "hardwareTimes"> & { readonly startedDaysAgo?: number } = {},
): Promise<ConsoleService> {
  const service = await startTestService("sqlite", {
    ...options,
    settings: { IRONLEASE_AUTH_LIMITS: "off", ...settings },
  });
  const { core, clock } = service;
  // Before the first id, because ids never go back. The certificate is not valid then, so the service has started.
  clock.advance(-startedDaysAgo * 86_400_000);
  await seedDemo(core);
  const complete: ConsoleService["complete"] = async (kind, serverId, body) => {
    const operator = await service.operator("support");
    const { work } = (await operator.send("GET", `/operator/v1/work?kind=${kind}&state=OPEN`)).json;
    const item = work.find((candidate: { serverId: string }) => candidate.serverId === serverId);
    await operator.send("POST", `/operator/v1/work/${item.id}/claim`);
    const done = await operator.send("POST", `/operator/v1/work/${item.id}/complete`, { body });
    assert.equal(done.status, 200, done.text);
  };
  return {
    ...service,
    startedDaysAgo,
    pay: async (address, amount, { confirmations, transactionId } = {}) => {
      const paid = await core.settlement?.payments?.simulatePayment({
        address,
        amount,
        confirmations,
        transactionId,
        isGone: false,
      });
      assert.ok(paid?.ok);
      const { failures } = await watchSettlement(core);
      assert.deepEqual(failures, []);
    },
    complete,
    deliver: (serverId, hostname) =>
      complete("PROVISION", serverId, hostname === undefined ? {} : { hostname }),
    signIn: async (username) => {
      const body = { username, password };
      const answer = await service.send("POST", "/api/v1/auth/login", { body });
      return customerOf(service.send, answer, username);
    },
  };
}

let keys = 0;

/** Sends a write with a new idempotency key and returns the body of the answer. */
export async function write<Answer>(
  { send }: Pick<Customer, "send">,
  method: string,
  path: string,
  body: unknown,
): Promise<Answer> {
  const headers = { "idempotency-key": `console-test-${(keys += 1)}` };
  const answer = await send(method, path, { body, headers });
  assert.ok(answer.status < 300, answer.text);
  return answer.json as Answer;
}
