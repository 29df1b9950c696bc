import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestService } from "#test/service.ts";
import { traceIdOf, traceparentIn } from "./trace-id.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const parentId = "00f067aa0ba902b7";
const good = `00-${traceId}-${parentId}-01`;

const ignored = [
  "",
  `${good} `,
  `${good}-more`,
  `${good}, ${good}`,
  good.toUpperCase(),
  `ff-${traceId}-${parentId}-01`,
  `01-${traceId}-${parentId}-01`,
  `00-${"0".repeat(32)}-${parentId}-01`,
  `00-${traceId}-${"0".repeat(16)}-01`,
  `00-${traceId.slice(1)}-${parentId}-01`,
  `00-${traceId}","level":50,"x":"-${parentId}-01`,
  "0".repeat(7_000),
];

test("only a valid traceparent has a trace id", () => {
  assert.equal(traceIdOf(traceparentIn(good) ?? ""), traceId);
  assert.equal(traceparentIn(undefined), undefined);
  assert.equal(traceparentIn([good]), undefined);
  for (const header of ignored) assert.equal(traceparentIn(header), undefined, header);
});

test("the log has the trace id of a request, and an invalid header changes nothing", async (t) => {
  const service = await startTestService("sqlite");
  t.after(() => service.close());
  const lastLine = () => JSON.parse(service.logged.at(-1) ?? "{}") as Record<string, unknown>;
  const visit = async (traceparent: string) => {
    const { status } = await service.send("GET", "/api/v1/catalogue", { headers: { traceparent } });
    assert.equal(status, 200);
    return lastLine();
  };
  assert.equal((await visit(good))["traceId"], traceId);
  const refused = await service.send("GET", "/api/v1/me", { headers: { traceparent: good } });
  assert.equal(refused.status, 401);
  assert.equal(lastLine()["traceId"], traceId);
  for (const header of ignored.filter((text) => text.trim() === text)) {
    const line = await visit(header);
    assert.equal("traceId" in line, false, header);
    assert.equal(line["level"], 30);
  }
});
