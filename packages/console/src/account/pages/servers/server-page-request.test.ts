import assert from "node:assert/strict";
import { test } from "node:test";
import type { Server } from "@ironlease/client";
import { countBy, countsOf, pageRequest, splitPage } from "./server-page-request.ts";

const getFrom = (search: Readonly<Record<string, string>>) => (name: string) => search[name] ?? "";

test("the URL's filters become the request, and invalid ones are left out", () => {
  assert.deepEqual(
    pageRequest(getFrom({ state: "GRACE", region: "fra", query: "web", sort: "name", after: "x" })),
    {
      limit: 51,
      include: "assignments",
      after: "x",
      state: "GRACE",
      regionId: "fra",
      query: "web",
      sort: "name",
    },
  );
  const { state, sort, query } = pageRequest(getFrom({ state: "NEW", sort: "price" }));
  assert.deepEqual([state, sort, query], [undefined, undefined, undefined]);
});

test("a page shows 50 servers, and the 51st only tells that another page follows", () => {
  const servers = Array.from({ length: 51 }, (_, index) => ({ id: `srv_${index}` }) as Server);
  assert.deepEqual(splitPage(servers).next, "srv_49");
  assert.equal(splitPage(servers).shown.length, 50);
  assert.equal(splitPage(servers.slice(1)).next, undefined);
  assert.equal(splitPage([]).next, undefined);
});

test("the servers of a page are counted only if it is a short list", () => {
  const servers = Array.from({ length: 21 }, () => ({ state: "ACTIVE", region: "fra" }) as Server);
  assert.equal(countsOf(servers), undefined);
  assert.equal(countsOf(undefined), undefined);
  assert.deepEqual([...countBy(countsOf(servers.slice(1)) ?? [], "region")], [["fra", 20]]);
});

test("counts are summed by state and by region", () => {
  const counts = [
    { state: "ACTIVE", region: "fra", servers: 3 },
    { state: "ACTIVE", region: "sin", servers: 2 },
    { state: "GRACE", region: "fra", servers: 1 },
  ] as const;
  assert.deepEqual(
    [...countBy(counts, "state")],
    [
      ["ACTIVE", 5],
      ["GRACE", 1],
    ],
  );
  assert.deepEqual(
    [...countBy(counts, "region")],
    [
      ["fra", 4],
      ["sin", 2],
    ],
  );
});
