import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { addTestOperator } from "#test/operators.ts";
import { stockUp } from "#test/rental-service.ts";
import { password, startTestService, type TestService } from "#test/service.ts";
import { createNodeFetch, type NodeFetch } from "./node.ts";
import {
  createOperatorClient,
  detailsOf,
  isOperatorError,
  OutcomeUnknown,
  type OperatorClient,
} from "./operator.ts";

const timeoutMs = 10_000;

describe("the operator client against a real service", () => {
  let service: TestService;
  let fetch: NodeFetch;
  let client: OperatorClient;
  /** Whether to drop the next answer after the service has sent it. */
  let isLost = false;
  before(async () => {
    service = await startTestService("sqlite");
    await stockUp(service.core);
    fetch = createNodeFetch({ ca: service.ca });
    client = createOperatorClient({
      baseUrl: service.operatorUrl,
      fetch: async (url, init) => {
        const answer = await fetch(url, init);
        if (!isLost) return answer;
        isLost = false;
        throw new Error("reset");
      },
      timeoutMs,
      clock: { now: () => performance.now(), wait },
    });
    const { username } = await addTestOperator(service.core, "admin", { password });
    await client.signInOperator({ username, password });
  });
  after(async () => {
    fetch.close();
    await service.close();
  });

  test("signing in keeps the operator cookies, and the work queue can be read", async () => {
    assert.equal((await client.readOperator()).role, "admin");
    assert.deepEqual(await client.listWork(), { work: [] });
    assert.ok(client.session.export() !== undefined);
  });

  test("a document that changed after it was read is not overwritten", async () => {
    const document = await client.readCatalogueDocument();
    const { etag } = detailsOf(document) ?? assert.fail();
    const ifMatch = etag ?? assert.fail();
    const changed = { ...document, discounts: [] };
    assert.deepEqual(await client.replaceCatalogue(changed, { ifMatch }), changed);
    const error: unknown = await client
      .replaceCatalogue(document, { ifMatch })
      .catch((caught: unknown) => caught);
    assert.ok(isOperatorError(error, "replaceCatalogue", "conflict"));
  });

  test("a replacement whose response was lost and whose retry conflicts has an unknown outcome", async () => {
    const document = await client.readCatalogueDocument();
    const ifMatch = detailsOf(document)?.etag ?? assert.fail();
    isLost = true;
    const changed = { ...document, discounts: [{ minQuantity: 3, percent: 5 }] };
    await assert.rejects(client.replaceCatalogue(changed, { ifMatch }), (error) => {
      assert.ok(error instanceof OutcomeUnknown);
      assert.equal(error.check, "readCatalogueDocument");
      return true;
    });
  });

  test("an adjustment whose response was lost takes effect once", async () => {
    const { username } = await service.register();
    const { accounts } = await client.listAccounts({ query: username });
    const { id } = accounts[0] ?? assert.fail();
    isLost = true;
    const adjusted = await client.adjustBalance({ id, usd: 12.5, reason: "A gift" });
    assert.equal(adjusted.balanceUsd, 12.5);
    assert.equal(detailsOf(adjusted)?.isReplay, true);
    assert.equal((await client.inspectAccount({ id })).balanceUsd, 12.5);
  });
});

/** A wait that ends at once, unless it is the timeout of a request, which never fires. */
function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(new Error("ended")), { once: true });
    if (ms < timeoutMs) resolve();
  });
}
