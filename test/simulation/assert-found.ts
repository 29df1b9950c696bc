import assert from "node:assert/strict";
import { search } from "#server/features/search/search.ts";
import type { Core } from "#server/kernel/core.ts";
import type { Fixture } from "./fixture.ts";
import type { Model } from "./model/state.ts";
import { isUnfinished } from "./model/state.ts";

/** What an operator's search must find in the final state of a run, and nothing else. */
export async function assertFound(
  core: Core,
  { customers }: Fixture,
  model: Model,
  serverIds: readonly (readonly string[])[],
): Promise<void> {
  const found = async (query: string) =>
    (await search(core, query)).map(({ kind, id }) => `${kind} ${id}`).toSorted();

  const owners = new Map<number, string>();
  for (const [index, { servers }] of model.accounts.entries()) {
    for (const [at, { place, provision }] of servers.entries()) {
      if (place !== null && !isUnfinished(provision)) {
        owners.set(place, `SERVER ${serverIds[index]?.[at]}`);
      }
    }
  }
  for (let place = 0; place <= model.places.next; place += 1) {
    const owner = owners.get(place);
    const expected = owner === undefined ? [] : [owner];
    assert.deepEqual(await found(`10.0.0.${place + 2}`), expected, `the address at place ${place}`);
  }

  for (const [index, { accountId, username }] of customers.entries()) {
    const isClosed = model.accounts[index]?.access.isClosed === true;
    const named = (await search(core, username)).filter(
      ({ matchedBy }) => matchedBy === "username",
    );
    assert.deepEqual(
      named.map(({ kind, id }) => `${kind} ${id}`),
      isClosed ? [] : [`ACCOUNT ${accountId}`],
      `the username of account ${index}`,
    );
    const [first] = serverIds[index] ?? [];
    if (first !== undefined) assert.deepEqual(await found(first), [`SERVER ${first}`]);
  }
  const newcomers = (await search(core, "newcomer-")).map(({ kind, name }) => `${kind} ${name}`);
  assert.deepEqual(
    newcomers,
    [...model.usernames].toSorted().map((name) => `ACCOUNT ${name}`),
    "new accounts",
  );
}
