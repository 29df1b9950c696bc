import assert from "node:assert/strict";
import { test } from "node:test";
import type { Notice } from "@ironlease/client";
import { concerns, currentNotices } from "./current-notices.ts";

const now = Date.parse("2026-11-18T12:00:00.000Z");
const at = (hours: number) => new Date(now + hours * 3_600_000).toISOString();
const notice = (title: string, fields: Partial<Notice>): Notice => ({
  id: title,
  kind: "MAINTENANCE",
  title,
  text: "",
  startsAt: at(-1),
  endsAt: at(1),
  createdAt: at(-2),
  regionIds: [],
  serverIds: [],
  ...fields,
});

test("what is wrong now comes before what is planned, and what has ended is left out", () => {
  const list = [
    notice("later", { startsAt: at(5), endsAt: at(6) }),
    notice("planned incident test", { kind: "INCIDENT", startsAt: at(2), endsAt: at(6) }),
    notice("running", {}),
    notice("over", { startsAt: at(-3), endsAt: at(0) }),
    notice("incident", { kind: "INCIDENT" }),
  ];
  assert.deepEqual(
    currentNotices(list, now).map(({ title }) => title),
    ["incident", "running", "planned incident test", "later"],
  );
});

test("a notice concerns a server by its region, by its id, or as one for everyone", () => {
  const server = { id: "srv_1", region: "fra" };
  assert.ok(concerns(notice("", {}), server));
  assert.ok(concerns(notice("", { regionIds: ["ams", "fra"] }), server));
  assert.ok(concerns(notice("", { regionIds: ["ams"], serverIds: ["srv_1"] }), server));
  assert.ok(!concerns(notice("", { regionIds: ["ams"], serverIds: ["srv_2"] }), server));
});
