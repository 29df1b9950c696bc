import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { DueQueue, isBefore, type DueServer } from "./due-server.ts";

const due = fc
  .record({ paidThrough: fc.nat(5), id: fc.constantFrom("srv_a", "srv_b", "srv_c") })
  .map((position) => position as DueServer);

test("due servers are taken earliest first and then by id, regardless of the order of insertion", () => {
  fc.assert(
    fc.property(fc.array(due), fc.array(due), (first, added) => {
      const queue = new DueQueue(first);
      for (const server of added) queue.put(server);
      const taken: DueServer[] = [];
      for (let next = queue.next(); next !== undefined; next = queue.next()) {
        assert.equal(queue.take(), next);
        taken.push(next);
      }
      assert.equal(taken.length, first.length + added.length);
      assert.ok(
        taken.every(
          (server, index) => index === 0 || !isBefore(server, taken[index - 1] ?? server),
        ),
      );
    }),
  );
});
