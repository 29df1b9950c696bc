import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createTestCore, register, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { addTestOperator } from "#test/operators.ts";
import { fieldsOf, valueOf } from "#test/use-cases.ts";
import { audit } from "#kernel/audit.ts";
import type { Core } from "#kernel/core.ts";
import { isoTime } from "#kernel/iso-time.ts";
import { ok } from "#kernel/result.ts";
import { listAudit, type AuditFilter } from "./list-audit.ts";

forEachEngine((engine) => {
  let opened: TestCore;
  let core: Core;
  before(async () => {
    opened = await createTestCore(engine);
    ({ core } = opened);
  });
  after(() => opened.dispose());

  const record = async (actor: string, action: string, subject: string): Promise<void> => {
    opened.clock.advance(1);
    await core.db.write(async (tx) => {
      const call = { actor, client: { ipAddress: "192.0.2.7", userAgent: "" } };
      await audit({ tx, core, call }, action, subject, { count: 1 });
      return ok();
    });
  };
  const list = (filter: AuditFilter) => valueOf(listAudit(core, filter));
  const actionsOf = async (filter: AuditFilter) =>
    (await list(filter)).map(({ action, subject }) => `${action} ${subject}`);

  test("an entry has every field, and the actor's username if the actor has one", async () => {
    const { accountId, username } = await register(core);
    const operator = await addTestOperator(core, "admin");
    await record(accountId, "whole.customer", "whole");
    await record(operator.operatorId, "whole.operator", "whole");
    await record("system", "whole.system", "whole");
    const entries = await list({ subject: "whole" });
    assert.deepEqual(
      entries.map(({ actor, actorName, action }) => [actor, actorName, action]),
      [
        ["system", null, "whole.system"],
        [operator.operatorId, operator.username, "whole.operator"],
        [accountId, username, "whole.customer"],
      ],
    );
    const { id, ...newest } = entries[0] ?? assert.fail();
    assert.match(id, /^aud_/);
    assert.deepEqual(newest, {
      at: core.clock.now(),
      actor: "system",
      actorName: null,
      action: "whole.system",
      subject: "whole",
      detail: { count: 1 },
      ipAddress: "192.0.2.7",
    });
  });

  test("an actor is found by id and by username, including an operator and a customer of the same name", async () => {
    const operator = await addTestOperator(core, "support");
    const { accountId } = await register(core);
    await core.db.write(async (tx) => {
      const { username } = operator;
      await tx.updateTable("accounts").set({ username }).where("id", "=", accountId).execute();
      return ok();
    });
    await record(accountId, "named.customer", "a");
    await record(operator.operatorId, "named.operator", "b");
    assert.deepEqual(await actionsOf({ actor: operator.operatorId }), ["named.operator b"]);
    const both = ["named.operator b", "named.customer a"];
    assert.deepEqual(await actionsOf({ actor: operator.username }), both);
    assert.deepEqual(await actionsOf({ actor: operator.username.toUpperCase() }), both);
    assert.deepEqual(await actionsOf({ actor: "nobody-of-that-name" }), []);
  });

  test("`system` and `nobody` match only those actors, even if a customer has the same username", async () => {
    const { accountId } = await register(core);
    await core.db.write(async (tx) => {
      const taken = { username: "nobody" };
      await tx.updateTable("accounts").set(taken).where("id", "=", accountId).execute();
      return ok();
    });
    await record(accountId, "taken.customer", "x");
    await record("nobody", "taken.stranger", "x");
    assert.deepEqual(await actionsOf({ actor: "nobody" }), ["taken.stranger x"]);
    assert.deepEqual(await actionsOf({ actor: accountId }), ["taken.customer x"]);
  });

  test("an action matches exactly, or as a prefix with a trailing dot, and no character is a wildcard", async () => {
    for (const action of ["gate.open", "gate.openly", "gates.open", "gate_.open", "gate%.open"]) {
      await record("system", action, "gate");
    }
    const found = (action: string) => actionsOf({ action, subject: "gate" });
    assert.deepEqual(await found("gate.open"), ["gate.open gate"]);
    assert.deepEqual(await found("gate."), ["gate.openly gate", "gate.open gate"]);
    for (const action of ["gate", "gat%", "gate%", "gate_open", "%.", "gat_.", "_", "."]) {
      assert.deepEqual(await found(action), [], action);
    }
    assert.deepEqual(await found("gate%."), ["gate%.open gate"]);
    assert.deepEqual(await actionsOf({ action: "gate.", subject: "gat_" }), []);
    assert.deepEqual(await actionsOf({ actor: "syste_", action: "gate." }), []);
  });

  test("since is inclusive and until is exclusive", async () => {
    for (const subject of ["first", "second", "third"]) {
      await record("system", "timed.entry", subject);
    }
    const third = core.clock.now();
    const found = (filter: AuditFilter) => actionsOf({ action: "timed.entry", ...filter });
    assert.deepEqual(await found({ since: isoTime(third) }), ["timed.entry third"]);
    const before = ["timed.entry second", "timed.entry first"];
    assert.deepEqual(await found({ until: isoTime(third) }), before);
    const between = { since: isoTime(third - 1), until: isoTime(third) };
    assert.deepEqual(await found(between), ["timed.entry second"]);
    assert.deepEqual(await found({ since: "9999-12-31T23:59:59Z" }), []);
    assert.deepEqual(await found({ until: "1969-12-31T23:59:59Z" }), []);
  });

  test("an invalid time is refused with its field name", async () => {
    for (const time of ["today", "2026-11-15", "2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z"]) {
      const [fault] = (await fieldsOf(listAudit(core, { until: time }))) ?? [];
      assert.equal(fault?.field, "until", time);
    }
  });

  test("pages are newest first and without gaps, even while entries are added", async () => {
    for (let count = 0; count < 120; count += 1) {
      await record("system", count % 2 === 0 ? "paged.even" : "paged.odd", String(count));
    }
    for (const filter of [{ action: "paged." }, { actor: "system", action: "paged." }]) {
      const first = await list(filter);
      assert.equal(first.length, 100);
      await record("system", "paged.even", "meanwhile");
      const second = await list({ ...filter, after: first.at(-1)?.id });
      const subjects = [...first, ...second].map(({ subject }) => subject);
      const expected = Array.from({ length: 120 }, (_, index) => String(119 - index));
      assert.deepEqual(
        subjects.filter((subject) => subject !== "meanwhile"),
        expected,
      );
    }
  });

  test("empty fields do not filter", async () => {
    const empty = { actor: "", action: "", subject: "", since: "", until: "", after: "" };
    assert.deepEqual(await list(empty), await list({}));
    assert.equal((await list({})).length, 100);
  });
});
