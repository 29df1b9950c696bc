import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { startTestService } from "#test/service.ts";
import { readLogLines } from "../tools/log-lines.ts";

const page = readFileSync(new URL("../docs/reference/logs.md", import.meta.url), "utf8");
const [requests = "", events = ""] = page.split("## Events");

/** The cells of each row of a table, without its heading. */
function rowsOf(text: string): readonly (readonly string[])[] {
  const lines = text.split("\n").filter((line) => line.startsWith("|"));
  return lines.slice(2).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll("`", "")),
  );
}

test("every line that the code logs is documented with its fields, and no other", () => {
  const documented = rowsOf(events).map(
    ([level, message, fields]) => `${level} ${message} ${fields}`,
  );
  const logged = readLogLines().map(
    ({ level, message, fields }) => `${level} ${message} ${fields.join(", ")}`,
  );
  assert.ok(logged.length > 25);
  assert.deepEqual(documented.toSorted(), [...new Set(logged)].toSorted());
});

test("the line of a request has the documented fields, and no other", async (t) => {
  const service = await startTestService("sqlite");
  t.after(() => service.close());
  const ada = await service.register();
  const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  await ada.send("GET", "/api/v1/me", { headers: { traceparent } });
  await ada.send("POST", "/api/v1/orders", { headers: { "x-csrf-token": "wrong" }, body: {} });
  await service.send("GET", "/nowhere");
  const lines = service.logged.map((line) => JSON.parse(line) as Record<string, unknown>);
  const seen = new Set(lines.filter(({ msg }) => msg === undefined).flatMap(Object.keys));
  const documented = rowsOf(requests).map(([field = ""]) => field);
  assert.deepEqual([...seen].toSorted(), documented.toSorted());
});
