import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { serverActions, serverStates } from "@ironlease/contract";
import { createTestCore, register, testClient, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { assertInvariantsHold, seedServer } from "#test/rental.ts";
import { codeOf, fieldsOf, intentOf, traceCountsOf, tracesOf, valueOf } from "#test/use-cases.ts";
import type { Core } from "#kernel/core.ts";
import { ok } from "#kernel/result.ts";
import { requestAction } from "./request-action.ts";

type Input = Omit<Parameters<typeof requestAction>[2], "serverId">;

const reboot: Input = { action: "reboot" };
const isoUrl = "https://images.debian.org/netinst.iso?signature=secret";
const sshPublicKey = "ssh-ed25519 AAAA ada";

const codeIn = {
  PROVISIONING: "server_not_ready",
  ACTIVE: "ok",
  GRACE: "ok",
  SUSPENDED: "server_not_ready",
  TERMINATED: "not_found",
} as const;

forEachEngine((engine) => {
  describe("server actions", () => {
    let opened: TestCore;
    let core: Core;
    before(async () => {
      opened = await createTestCore(engine);
      core = opened.core;
    });
    after(() => opened.dispose());

    const request = (accountId: string, serverId: string, input: Input = reboot) =>
      requestAction(
        core,
        { accountId, client: testClient, intent: intentOf("requestAction") },
        { serverId, ...input },
      );

    for (const action of serverActions) {
      const input: Input = action === "mount_iso" ? { action, isoUrl } : { action };
      test(`${action} is 202 QUEUED with one action, one work item and one audit row`, async () => {
        const { accountId } = await register(core);
        const server = await seedServer(core, accountId, { sshPublicKey });
        const answer = await valueOf(request(accountId, server.id, input));
        const { id } = answer.body;
        assert.match(id, /^act_[0-9a-z]{26}$/);
        assert.deepEqual(answer, { status: 202, body: { id, status: "QUEUED" }, replayed: false });

        const { actions, work, audits } = await tracesOf(core, accountId);
        assert.deepEqual(
          actions.map((row) => [row.id, row.server_id, row.action, row.iso_url]),
          [[id, server.id, action, input.isoUrl ?? null]],
        );
        assert.deepEqual(
          work.map((row) => [row.kind, row.action_id, row.server_id, row.state]),
          [["SERVER_ACTION", id, server.id, "OPEN"]],
        );
        assert.deepEqual(
          audits.map((row) => [row.action, row.subject, JSON.parse(row.detail)]),
          [["server.request_action", server.id, { actionId: id, action }]],
        );
        await assertInvariantsHold(core.db);
      });
    }

    test("the work item has the machine, the image and the details of a reinstall", async () => {
      const { accountId } = await register(core);
      const { id, machineId } = await seedServer(core, accountId, { sshPublicKey });
      await valueOf(request(accountId, id, { action: "kvm" }));
      await valueOf(request(accountId, id, { action: "mount_iso", isoUrl }));
      await valueOf(request(accountId, id, { action: "reinstall" }));
      const { work } = await tracesOf(core, accountId);
      const hostname = `${id.replace("_", "-")}.example.com`;
      assert.deepEqual(
        work.map(({ detail }) => JSON.parse(detail) as unknown),
        [
          { action: "kvm", machineId, hostname },
          { action: "mount_iso", machineId, hostname, isoUrl },
          { action: "reinstall", machineId, hostname, osId: "debian-13", sshPublicKey },
        ],
      );
    });

    for (const state of serverStates) {
      const code = codeIn[state];
      test(`a server that is ${state} answers ${code}`, async () => {
        const { accountId } = await register(core);
        const server = await seedServer(core, accountId, { state });
        assert.equal(await codeOf(request(accountId, server.id)), code);
        const left = code === "ok" ? 1 : 0;
        const expected = { requests: left, work: left, keys: left, audits: left };
        assert.deepEqual(await traceCountsOf(core, accountId), expected);
      });
    }

    test("isoUrl is allowed only with mount_iso, and must be public", async () => {
      const { accountId } = await register(core);
      const { id } = await seedServer(core, accountId);
      const others = serverActions.filter((action) => action !== "mount_iso");
      const bad: Input[] = [
        { action: "mount_iso" },
        ...others.map((action) => ({ action, isoUrl })),
        { action: "mount_iso", isoUrl: "http://images.debian.org/netinst.iso" },
        { action: "mount_iso", isoUrl: "https://user@images.debian.org/netinst.iso" },
        { action: "mount_iso", isoUrl: "https://127.1/netinst.iso" },
        { action: "mount_iso", isoUrl: "" },
      ];
      for (const input of bad) {
        const fields = await fieldsOf(request(accountId, id, input));
        assert.equal(fields?.[0]?.field, "isoUrl", JSON.stringify(input));
        assert.match(fields[0].message, /^(?:must|is required) /);
      }
      const nothing = { requests: 0, work: 0, keys: 0, audits: 0 };
      assert.deepEqual(await traceCountsOf(core, accountId), nothing);
    });

    const endActions = (serverId: string, count: number) =>
      core.db.write(async (tx) => {
        const rows = await tx
          .selectFrom("work")
          .select("id")
          .where("server_id", "=", serverId)
          .where("state", "=", "OPEN")
          .limit(count)
          .execute();
        const ids = rows.map(({ id }) => id);
        await tx.updateTable("work").set({ state: "DONE" }).where("id", "in", ids).execute();
        return ok();
      });
    const tally = (codes: readonly string[]) =>
      Object.fromEntries(
        [...new Set(codes)]
          .toSorted()
          .map((code) => [code, codes.filter((c) => c === code).length]),
      );

    test("a server's 21st open action is 409 limit_reached, even among six concurrent ones", async () => {
      const { accountId } = await register(core);
      const [first, second] = [
        await seedServer(core, accountId),
        await seedServer(core, accountId),
      ];
      const intent = intentOf("requestAction");
      const keyed = () =>
        requestAction(
          core,
          { accountId, client: testClient, intent },
          { serverId: first.id, ...reboot },
        );
      const recorded = await valueOf(keyed());
      for (let count = 1; count < 18; count += 1) await valueOf(request(accountId, first.id));
      const codes = await Promise.all(
        Array.from({ length: 6 }, () => codeOf(request(accountId, first.id))),
      );
      assert.deepEqual(tally(codes), { limit_reached: 4, ok: 2 });
      const counted = { requests: 20, work: 20, keys: 20, audits: 20 };
      assert.deepEqual(await traceCountsOf(core, accountId), counted);

      // A replay still answers, another server has its own limit, and a freed slot is taken once.
      assert.deepEqual(await valueOf(keyed()), { ...recorded, replayed: true });
      assert.equal(await codeOf(request(accountId, second.id)), "ok");
      await endActions(first.id, 1);
      assert.equal(await codeOf(request(accountId, first.id)), "ok");
      assert.equal(await codeOf(request(accountId, first.id)), "limit_reached");
    });

    test("an action that an operator has claimed still counts as open", async () => {
      const { accountId } = await register(core);
      const { id } = await seedServer(core, accountId);
      for (let count = 0; count < 20; count += 1) await valueOf(request(accountId, id));
      await core.db.write(async (tx) => {
        const work = tx.updateTable("work").where("server_id", "=", id);
        await work.set({ state: "CLAIMED", lease_until: core.clock.now() + 1 }).execute();
        return ok();
      });
      assert.equal(await codeOf(request(accountId, id)), "limit_reached");
    });

    test("an account's open actions above the limit are 409 limit_reached, even concurrently on all its servers", async () => {
      const rules = { ...core.rules, openActions: { perServer: 3, perAccount: 8 } };
      const bounded: Core = { ...core, rules };
      const { accountId } = await register(core);
      const neighbour = await register(core);
      const servers = await Promise.all(
        Array.from({ length: 6 }, () => seedServer(core, accountId)),
      );
      const ask = (id: string) =>
        requestAction(
          bounded,
          { accountId, client: testClient, intent: intentOf("requestAction") },
          { serverId: id, ...reboot },
        );
      const asked = servers.flatMap(({ id }) => [codeOf(ask(id)), codeOf(ask(id))]);
      assert.deepEqual(tally(await Promise.all(asked)), { limit_reached: 4, ok: 8 });
      const other = await seedServer(core, neighbour.accountId);
      assert.equal(await codeOf(request(neighbour.accountId, other.id)), "ok");
    });

    test("no action is queued after a concurrent termination", async () => {
      const { accountId } = await register(core);
      for (let round = 0; round < 10; round += 1) {
        const { id } = await seedServer(core, accountId);
        const asked = Array.from({ length: 8 }, () => codeOf(request(accountId, id)));
        const [seen, ...codes] = await Promise.all([terminateAndCount(core, id), ...asked]);
        const accepted = codes.filter((code) => code === "ok").length;
        assert.equal(seen, accepted);
        assert.equal(codes.filter((code) => code === "not_found").length, 8 - accepted);
      }
    });
  });
});

/** Terminates first and counts last, so that a request that does not lock the row could come in between. */
async function terminateAndCount(core: Core, serverId: string): Promise<number> {
  return valueOf(
    core.db.write(async (tx) => {
      const server = tx.updateTable("servers").where("id", "=", serverId);
      await server.set({ state: "TERMINATED" }).execute();
      const { count } = await tx
        .selectFrom("actions")
        .select((eb) => eb.fn.countAll<number>().as("count"))
        .where("server_id", "=", serverId)
        .executeTakeFirstOrThrow();
      return ok(count);
    }),
  );
}
