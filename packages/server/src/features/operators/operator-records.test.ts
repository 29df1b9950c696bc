import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { forEachEngine } from "#test/engines.ts";
import { codeOf, type Answer } from "#test/https-client.ts";
import { disableOperator, signInOperator, type SignedInOperator } from "#test/operators.ts";
import { startTestService, type TestService } from "#test/service.ts";

const path = "/operator/v1/operators";
const office = ["203.0.113.0/24"];
const firstField = (answer: Answer) => answer.json.error.fields[0].field as string;
const here = ["127.0.0.1", "::1"];

forEachEngine((engine) => {
  describe("operators at the desk", () => {
    let service: TestService;
    let admin: SignedInOperator;
    before(async () => {
      service = await startTestService(engine);
      admin = await signInOperator(service.core, service.sendToDesk, "admin");
    });
    after(() => service.close());

    const add = async (role: string, username: string) =>
      (await admin.send("POST", path, { body: { username, role } })).json;
    const change = (id: string, body: object, by = admin) =>
      by.send("PATCH", `${path}/${id}`, { body });
    const signIn = (username: string, password: string) =>
      service.sendToDesk("POST", "/operator/v1/auth/login", { body: { username, password } });
    const actionsOn = async (id: string) => {
      const { entries } = (await admin.send("GET", `/operator/v1/audit?subject=${id}`)).json;
      return entries.map((entry: { action: string }) => entry.action).toReversed();
    };

    test("an added operator signs in with the password that is shown once", async () => {
      const answer = await admin.send("POST", path, {
        body: { username: "Grace", role: "support" },
      });
      assert.equal(answer.status, 201, answer.text);
      const { password, ...grace } = answer.json;
      assert.equal(grace.lastSignInAt, null);
      assert.equal((await signIn("grace", password)).status, 200);
      const { operators } = (await admin.send("GET", path)).json;
      const listed = operators.find(({ id }: { id: string }) => id === grace.id);
      const { lastSignInAt, lastSeenAt, ...unchanged } = listed;
      assert.ok(lastSignInAt !== null && lastSeenAt !== null);
      assert.deepEqual(unchanged, {
        ...{ id: grace.id, username: "grace", role: "support", createdAt: grace.createdAt },
        ...{ disabledAt: null, secondFactor: "off", allowedNetworks: null },
      });
      const again = await admin.send("POST", path, { body: { username: "grace", role: "admin" } });
      assert.equal(codeOf(again), "username_taken");
      const field = firstField(
        await admin.send("POST", path, { body: { username: "1x", role: "admin" } }),
      );
      assert.equal(field, "username");
      assert.deepEqual(await actionsOn(grace.id), ["operator.add", "operator.sign_in"]);
    });

    test("any operator sees the names and roles of those who are not disabled", async () => {
      const gone = await add("finance", "ivan");
      const support = await signInOperator(service.core, service.sendToDesk, "support");
      const namesOf = async (): Promise<readonly string[]> => {
        const answer = await support.send("GET", "/operator/v1/assignees");
        assert.equal(answer.status, 200, answer.text);
        assert.deepEqual(Object.keys(answer.json.operators[0]), ["username", "role"]);
        return answer.json.operators.map(({ username }: { username: string }) => username);
      };
      assert.ok((await namesOf()).includes("ivan"));
      assert.ok((await namesOf()).includes(support.username));
      await change(gone.id, { disabled: true });
      assert.ok(!(await namesOf()).includes("ivan"));
    });

    test("disabling ends every session, and enabling lets the operator sign in again", async () => {
      const { id, password } = await add("finance", "henry");
      assert.equal((await signIn("henry", password)).status, 200);
      const disabled = await change(id, { disabled: true });
      assert.notEqual(disabled.json.disabledAt, null);
      assert.deepEqual((await admin.send("GET", `${path}/${id}/sessions`)).json, { sessions: [] });
      assert.equal((await signIn("henry", password)).status, 401);
      assert.equal((await change(id, { disabled: false })).json.disabledAt, null);
      assert.equal((await signIn("henry", password)).status, 200);
    });

    test("each change of role, status and networks is audited once, and no change not at all", async () => {
      const { id } = await add("finance", "irene");
      const all = { role: "support", disabled: true, allowedNetworks: ["203.0.113.9/24"] };
      const changed = await change(id, all);
      assert.equal(changed.status, 200, changed.text);
      assert.deepEqual(changed.json.allowedNetworks, office);
      await change(id, all);
      await change(id, {});
      assert.deepEqual(await actionsOn(id), [
        ...["operator.add", "operator.change_role", "operator.set_networks", "operator.disable"],
      ]);
    });

    test("a changed role applies to the next request of the same session", async () => {
      const other = await signInOperator(service.core, service.sendToDesk, "support");
      assert.equal(codeOf(await other.send("GET", path)), "role_forbidden");
      await change(other.operatorId, { role: "admin" });
      assert.equal((await other.send("GET", path)).status, 200);
      await change(other.operatorId, { role: "support" });
      assert.equal(codeOf(await other.send("GET", path)), "role_forbidden");
    });

    test("outside the allowed networks, sessions and sign-ins are refused like unknown ones", async () => {
      const { id, password } = await add("support", "judith");
      const other = await signInOperator(service.core, service.sendToDesk, "support");
      await change(other.operatorId, { allowedNetworks: office });
      await change(id, { allowedNetworks: office });
      assert.equal(codeOf(await other.send("GET", "/operator/v1/me")), "authentication_required");
      const refused = await signIn("judith", password);
      const wrong = await signIn("judith", "not the right pass phrase");
      assert.equal(refused.status, 401);
      assert.equal(refused.json.error.message, wrong.json.error.message);
      await change(id, { allowedNetworks: [...office, ...here] });
      await change(other.operatorId, { allowedNetworks: here });
      assert.equal((await signIn("judith", password)).status, 200);
      assert.equal((await other.send("GET", "/operator/v1/me")).status, 200);
    });

    test("unknown ids are 404, and a network that is none names the field", async () => {
      const unknown = "opr_00000000000000000000000000";
      for (const answer of [
        await change(unknown, { disabled: true }),
        await admin.send("POST", `${path}/${unknown}/reset`),
        await admin.send("GET", `${path}/${unknown}/sessions`),
        await admin.send("DELETE", `${path}/${unknown}/sessions/ses_00000000000000000000000000`),
      ]) {
        assert.equal(codeOf(answer), "not_found");
      }
      const field = firstField(await change(unknown, { allowedNetworks: ["127.1"] }));
      assert.equal(field, "allowedNetworks");
    });

    test("an admin ends one session of another operator, and sees their own marked", async () => {
      const { id, password } = await add("support", "karl");
      await signIn("karl", password);
      await signIn("karl", password);
      const { sessions } = (await admin.send("GET", `${path}/${id}/sessions`)).json;
      assert.equal(sessions.length, 2);
      const ended = `${path}/${id}/sessions/${sessions[0].id}`;
      assert.equal((await admin.send("DELETE", ended)).status, 204);
      assert.equal(codeOf(await admin.send("DELETE", ended)), "not_found");
      const left = (await admin.send("GET", `${path}/${id}/sessions`)).json.sessions;
      assert.deepEqual(left, [sessions[1]]);
      const own = (await admin.send("GET", `${path}/${admin.operatorId}/sessions`)).json.sessions;
      assert.deepEqual(
        own.map(({ current }: { current: boolean }) => current),
        [true],
      );
    });

    test("a reset gives a new password to another operator, never to the caller", async () => {
      const { id, password } = await add("support", "lena");
      const reset = await admin.send("POST", `${path}/${id}/reset`);
      assert.equal(reset.status, 200, reset.text);
      assert.equal((await signIn("lena", password)).status, 401);
      assert.equal((await signIn("lena", reset.json.password)).status, 200);
      const own = await admin.send("POST", `${path}/${admin.operatorId}/reset`);
      assert.equal(codeOf(own), "conflict");
    });
  });

  describe("the last admin", () => {
    let service: TestService;
    let admin: SignedInOperator;
    before(async () => {
      service = await startTestService(engine);
      admin = await signInOperator(service.core, service.sendToDesk, "admin");
      await signInOperator(service.core, service.sendToDesk, "finance");
    });
    after(() => service.close());

    const own = (body: object) => admin.send("PATCH", `${path}/${admin.operatorId}`, { body });
    const stored = async (id: string) =>
      (await admin.send("GET", path)).json.operators.find((one: { id: string }) => one.id === id);

    test("cannot be disabled, demoted or locked out, confirmed or not, nor by the command", async () => {
      for (const body of [
        { disabled: true },
        { role: "finance" },
        { allowedNetworks: office, confirmLockout: true },
      ]) {
        const answer = await own(body);
        assert.equal(codeOf(answer), "conflict", answer.text);
        assert.match(answer.json.error.message, /last enabled admin\. Add another admin first/);
      }
      assert.equal((await disableOperator(service.core, admin.username)).ok, false);
      const { role, disabledAt, allowedNetworks } = await stored(admin.operatorId);
      assert.deepEqual([role, disabledAt, allowedNetworks], ["admin", null, null]);
      assert.equal((await own({ allowedNetworks: here })).status, 200);
      assert.equal((await own({ allowedNetworks: null })).status, 200);
    });

    test("an admin who is limited to networks elsewhere does not count as another one", async () => {
      const other = await signInOperator(service.core, service.sendToDesk, "admin");
      const limit = (allowedNetworks: readonly string[] | null) =>
        admin.send("PATCH", `${path}/${other.operatorId}`, { body: { allowedNetworks } });
      await limit(office);
      const answer = await own({ role: "support" });
      assert.equal(codeOf(answer), "conflict");
      assert.match(answer.json.error.message, /Change the networks of another admin first/);
      await limit(null);
    });

    test("an admin locks out the address in use only with confirmation", async () => {
      const other = await signInOperator(service.core, service.sendToDesk, "admin");
      const limitSelf = (confirmed: object) =>
        other.send("PATCH", `${path}/${other.operatorId}`, {
          body: { allowedNetworks: office, ...confirmed },
        });
      const refused = await limitSelf({});
      assert.equal(codeOf(refused), "conflict");
      assert.match(refused.json.error.message, /Your address \S+ is not in these networks/);
      assert.equal((await limitSelf({ confirmLockout: true })).status, 200);
      assert.equal(codeOf(await other.send("GET", path)), "authentication_required");
      // The other admins of this test would let the last one go.
      const { operators } = (await admin.send("GET", path)).json;
      for (const { id } of operators.filter(
        (one: { id: string; role: string }) => one.role === "admin" && one.id !== admin.operatorId,
      )) {
        await admin.send("PATCH", `${path}/${id}`, { body: { disabled: true } });
      }
      assert.equal(codeOf(await own({ disabled: true })), "conflict");
    });

    test("of two admins who disable each other at once, one stays", async () => {
      const first = await signInOperator(service.core, service.sendToDesk, "admin");
      const second = await signInOperator(service.core, service.sendToDesk, "admin");
      await admin.send("PATCH", `${path}/${admin.operatorId}`, { body: { role: "support" } });
      const disable = (by: SignedInOperator, { operatorId }: SignedInOperator) =>
        by.send("PATCH", `${path}/${operatorId}`, { body: { disabled: true } });
      const answers = await Promise.all([disable(first, second), disable(second, first)]);
      const codes = answers.map((answer) => codeOf(answer) ?? "ok").toSorted();
      assert.deepEqual(codes, ["authentication_required", "ok"]);
    });
  });
});
