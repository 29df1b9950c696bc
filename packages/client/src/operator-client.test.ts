import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestService } from "../../../test/support/service.ts";
import { addTestOperator } from "../../../test/support/operators.ts";
import { detailsOf } from "./index.ts";
import { createNodeFetch } from "./node.ts";
import { createOperatorClient, isOperatorError } from "./operator.ts";

const password = "the operators' pass phrase";

test("a catalogue that somebody else has saved since it was read is not overwritten", async () => {
  const service = await startTestService("sqlite");
  const fetch = createNodeFetch({ ca: service.ca });
  try {
    const { username } = await addTestOperator(service.core, "admin", { password });
    const client = createOperatorClient({ baseUrl: service.operatorUrl, fetch });
    await client.signInOperator({ username, password });
    const read = await client.readCatalogueDocument();
    const ifMatch = detailsOf(read)?.etag ?? assert.fail("the answer has no etag");
    const regions = [{ id: "osl", name: "Oslo", country: "NO" }];
    const saved = await client.replaceCatalogue({ ...read, regions }, { ifMatch });
    assert.notEqual(detailsOf(saved)?.etag, ifMatch);

    const error: unknown = await client
      .replaceCatalogue(read, { ifMatch })
      .catch((caught: unknown) => caught);
    assert.ok(isOperatorError(error, "replaceCatalogue", "conflict"));
    assert.deepEqual((await client.readCatalogueDocument()).regions, regions);
  } finally {
    fetch.close();
    await service.close();
  }
});
