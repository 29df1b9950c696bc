import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openEngine, type OpenedEngine } from "#test/engines.ts";
import { killUnderLoad, type Killable } from "./kills.ts";

describe("killing under load", () => {
  let opened: OpenedEngine;
  before(async () => {
    opened = await openEngine("sqlite");
  });
  after(() => opened.dispose());

  const send = () => Promise.reject(new Error("the service must not be called"));
  const target = (kill: Killable["kill"]): Killable => ({
    service: { send, sendToDesk: send },
    db: opened.db,
    mayDisconnect: false,
    kill,
    log: () => ["a line of the service's log"],
  });
  const loadThat = (round: () => Promise<void>) => async () => ({ round });
  const idle = loadThat(async () => {});

  test("a failed restart ends the run with the reason and the service's log", async () => {
    const kill = () => Promise.reject(new Error("PostgreSQL did not start"));
    const found = await killUnderLoad(target(kill), { kills: 2, seed: 1, openLoad: idle });
    assert.deepEqual(found, [
      {
        number: 1,
        acknowledged: 0,
        unanswered: 0,
        problems: [
          "the run stopped: Error: PostgreSQL did not start",
          "a line of the service's log",
        ],
      },
    ]);
  });

  test("an unexpected answer ends the run after the restart has finished", async () => {
    let isBack = false;
    const kill = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      isBack = true;
      return [];
    };
    const openLoad = loadThat(() => Promise.reject(new Error("POST /orders was answered 500")));
    const [first] = await killUnderLoad(target(kill), { kills: 1, seed: 1, openLoad });
    assert.equal(first?.problems[0], "the run stopped: Error: POST /orders was answered 500");
    assert.ok(isBack);
  });

  test("a load that cannot start is reported as a problem", async () => {
    const kills: unknown[] = [];
    const found = await killUnderLoad(
      target(() => Promise.resolve([])),
      { kills: 1, seed: 1, onKill: (kill) => kills.push(kill) },
    );
    assert.equal(found[0]?.problems[0], "the run stopped: Error: the service must not be called");
    assert.deepEqual(kills, found);
  });

  test("the kill happens even when the load ends with too few acknowledgements", async () => {
    let killed = 0;
    const kill = async () => {
      killed += 1;
      return [];
    };
    const found = await killUnderLoad(target(kill), { kills: 2, seed: 1, openLoad: idle });
    assert.equal(killed, 2);
    assert.deepEqual(
      found.map(({ problems }) => problems),
      [[], []],
    );
  });
});
