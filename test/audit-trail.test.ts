import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { isChange, operations, type Operation } from "@ironlease/contract";
import { hasText } from "#console/account/pages/activity/action-text.ts";
import { startConsoleService, write, type ConsoleService } from "#test/console-service.ts";
import { Authenticator } from "#test/authenticator.ts";
import { passkeyClient } from "#test/passkeys.ts";
import { operatorCall } from "#test/operators.ts";
import { ddosWorkOf, offer } from "#test/quotes.ts";
import { codeIn, startMailServer, type MailServer } from "#test/mail-server.ts";
import { password, type Customer } from "#test/service.ts";
import { totpCode } from "#test/totp.ts";

const publicKey =
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl ada@example";
const newPassword = "another long pass phrase";

/** The changes that customers can make. A new operation without a step below fails the test. */
const changes = Object.entries<Operation>(operations)
  .filter(([, operation]) => operation.listener === "account" && isChange(operation))
  .map(([id]) => id);

describe("the audit trail of customers", () => {
  let service: ConsoleService;
  let mail: MailServer;
  let ada: Customer;
  /** Ids that later steps need. */
  const created: Record<string, string> = {};
  before(async () => {
    mail = await startMailServer();
    service = await startConsoleService(mail.settings);
  });
  after(async () => {
    await service.close();
    await mail.close();
  });

  const wrong = "not the right pass phrase";
  const auth = (what: string, body: object) => ada.send("POST", `/api/v1/auth/${what}`, { body });
  const close = (typed: string) =>
    ada.send("POST", "/api/v1/account/close", { body: { password: typed } });
  const remove = (path: string) => ada.send("DELETE", path);
  const create = async (name: string, path: string, body: object) => {
    created[name] = (await write<{ id: string }>(ada, "POST", path, body)).id;
  };
  const set = (path: string, body: object) => write(ada, "PUT", path, body);
  const threadPath = () => `/api/v1/threads/${created["thread"]}`;
  const webhookPath = () => `/api/v1/webhooks/${created["webhook"]}`;
  const serverPath = () => `/api/v1/servers/${created["server"]}`;

  const passkeys = () => passkeyClient(service.url, "/api/v1");
  let authenticator: Authenticator;
  // oxlint-disable-next-line typescript/no-explicit-any -- passed on as it came
  let options: any;

  /** The operation, its request, and the audit actions that follow. */
  const steps: readonly [id: string, step: () => Promise<unknown>, ...actions: string[]][] = [
    ["register", async () => (ada = await service.register("ada")), "account.register"],
    ["signIn", () => auth("login", { username: "ada", password: wrong }), "session.refuse"],
    ["signIn", async () => (ada = await service.signIn("ada")), "session.start"],
    [
      "createApiKey",
      () => create("key", "/api/v1/api-keys", { name: "ci", scope: "read" }),
      "api_key.create",
    ],
    ["revokeApiKey", () => remove(`/api/v1/api-keys/${created["key"]}`), "api_key.revoke"],
    ["beginPasskey", async () => void (options = await passkeys().begin(ada.send))],
    [
      "finishPasskey",
      async () => {
        authenticator = new Authenticator(passkeys().origin);
        const added = await passkeys().finish(ada.send, authenticator.create(options));
        created["passkey"] = added.json.id;
      },
      "passkey.add",
    ],
    ["beginPasskeySignIn", async () => void (options = await passkeys().beginSignIn(service.send))],
    [
      "finishPasskeySignIn",
      () => passkeys().finishSignIn(service.send, authenticator.get(options)),
      "session.start",
    ],
    ["removePasskey", () => remove(`/api/v1/passkeys/${created["passkey"]}`), "passkey.remove"],
    ["addSshKey", () => create("ssh", "/api/v1/ssh-keys", { name: "a", publicKey }), "ssh_key.add"],
    ["removeSshKey", () => remove(`/api/v1/ssh-keys/${created["ssh"]}`), "ssh_key.remove"],
    ["setContact", () => set("/api/v1/contact", { email: "ada@example.com" }), "contact.set"],
    [
      "confirmContact",
      () => write(ada, "POST", "/api/v1/contact/confirm", { code: "WRONG" }).catch(() => undefined),
      "contact.refuse_code",
    ],
    [
      "confirmContact",
      async () => {
        const sent = await mail.mailTo("ada@example.com", "Confirm your e-mail address");
        await write(ada, "POST", "/api/v1/contact/confirm", { code: codeIn(sent) });
      },
      "contact.confirm",
    ],
    ["removeContact", () => remove("/api/v1/contact"), "contact.remove"],
    [
      "createDepositAddress",
      async () => {
        const path = "/api/v1/deposit-addresses";
        created["address"] = (
          await write<{ address: string }>(ada, "POST", path, { asset: "BTC" })
        ).address;
      },
      "deposit_address.create",
    ],
    ["", () => service.pay(created["address"] ?? "", "0.01"), "deposit.credit"],
    [
      "placeOrder",
      async () => {
        const order = { configId: "metal-s", regionId: "fra", osId: "debian-13", term: "weekly" };
        const placed = { ...order, quantity: 1 };
        const { serverIds } = await write<{ serverIds: string[] }>(
          ...([ada, "POST", "/api/v1/orders", placed] as const),
        );
        created["server"] = serverIds[0] ?? "";
      },
      "order.place",
    ],
    [
      "cancelServer",
      async () => {
        const order = { configId: "metal-s", regionId: "fra", osId: "debian-13", term: "weekly" };
        const { serverIds } = await write<{ serverIds: string[] }>(
          ...([ada, "POST", "/api/v1/orders", { ...order, quantity: 1 }] as const),
        );
        await write(ada, "POST", `/api/v1/servers/${serverIds[0]}/cancel`, undefined);
      },
      ...["order.place", "server.cancel"],
    ],
    [
      "",
      () => service.deliver(created["server"] ?? ""),
      "work.claim",
      "work.complete",
      "server.deliver",
    ],
    [
      "requestAction",
      () => create("action", `${serverPath()}/actions`, { action: "reboot" }),
      "server.request_action",
    ],
    [
      "setDdosMode",
      () => set(`${serverPath()}/ddos`, { mode: "ADVANCED" }),
      "server.request_ddos_mode",
    ],
    [
      "",
      async () => {
        const operator = await operatorCall(service.core, "support");
        const workId = await ddosWorkOf(service.core, created["server"] ?? "");
        await offer(service.core, operator, workId, 50);
      },
      ...["work.claim", "work.quote", "server.offer_ddos_quote"],
    ],
    [
      "acceptQuote",
      () => write(ada, "POST", `${serverPath()}/ddos/quote`, { usd: 50 }),
      "server.accept_ddos_quote",
    ],
    [
      "setRenewal",
      () => set(`${serverPath()}/renewal`, { autoRenew: false }),
      "server.set_renewal",
    ],
    ["setLabel", () => set(`${serverPath()}/label`, { label: "Shop" }), "server.set_label"],
    [
      "setReverseDns",
      async () => {
        const { assignments } = (await ada.send("GET", "/api/v1/network")).json;
        await set(`/api/v1/network/${assignments[0].id}/rdns`, { ptr: "web1.example.com" });
      },
      "assignment.set_ptr",
    ],
    [
      "requestWithdrawal",
      () => {
        const destination = `sim-btc-${"a".repeat(24)}`;
        return create("withdrawal", "/api/v1/withdrawals", { asset: "BTC", destination, usd: 10 });
      },
      "withdrawal.request",
    ],
    [
      "addWithdrawalAddress",
      () =>
        create("payee", "/api/v1/withdrawal-addresses", {
          ...{ asset: "BTC", destination: `sim-btc-${"b".repeat(24)}`, label: "" },
        }),
      "withdrawal_address.add",
    ],
    [
      "removeWithdrawalAddress",
      () => remove(`/api/v1/withdrawal-addresses/${created["payee"]}`),
      "withdrawal_address.remove",
    ],
    [
      "setWithdrawalLock",
      () => set("/api/v1/withdrawal-lock", { locked: true }),
      "withdrawals.lock",
    ],
    [
      "setWithdrawalLock",
      () => set("/api/v1/withdrawal-lock", { locked: false }),
      "withdrawals.unlock",
    ],
    [
      "openThread",
      () => create("thread", "/api/v1/threads", { subject: "Disk", text: "Please check it." }),
      "thread.open",
    ],
    [
      "sendMessage",
      () => create("message", `${threadPath()}/messages`, { text: "Any news?" }),
      "thread.send_message",
    ],
    ["markThreadRead", () => ada.send("POST", `${threadPath()}/read`)],
    [
      "createWebhook",
      () => create("webhook", "/api/v1/webhooks", { url: "https://hooks.example.com/t0ken" }),
      "webhook.create",
    ],
    ["testWebhook", () => create("delivery", `${webhookPath()}/test`, {}), "webhook.test"],
    [
      "redeliver",
      () => ada.send("POST", `${webhookPath()}/deliveries/${created["delivery"]}/redeliver`),
      "webhook.redeliver",
    ],
    [
      "rotateWebhookSecret",
      () => ada.send("POST", `${webhookPath()}/secret`),
      "webhook.rotate_secret",
    ],
    ["deleteWebhook", () => remove(webhookPath()), "webhook.delete"],
    ["closeThread", () => ada.send("POST", `${threadPath()}/close`), "thread.close"],
    [
      "revokeSession",
      async () => {
        const { sessions } = (await ada.send("GET", "/api/v1/sessions")).json;
        const other = sessions.find(({ current }: { current: boolean }) => !current);
        await remove(`/api/v1/sessions/${other.id}`);
      },
      "session.revoke",
    ],
    [
      "beginSecondFactor",
      async () => {
        created["totp"] = (await ada.send("POST", "/api/v1/auth/totp")).json.secret;
      },
      "account.begin_totp",
    ],
    [
      "confirmSecondFactor",
      () => auth("totp/confirm", { code: "none" }),
      "account.refuse_second_factor",
    ],
    [
      "confirmSecondFactor",
      async () => {
        const code = totpCode(created["totp"] ?? "", service.core.clock.now());
        created["spare"] = (await auth("totp/confirm", { code })).json.recoveryCodes[0];
      },
      "account.confirm_totp",
    ],
    [
      "signIn",
      () => {
        const body = { username: "ada", password, totp: created["spare"] };
        return ada.send("POST", "/api/v1/auth/login", { body, headers: { cookie: "" } });
      },
      ...["account.use_recovery_code", "session.start"],
    ],
    ["removeSecondFactor", () => remove("/api/v1/auth/totp"), "account.remove_totp"],
    ["signOut", () => ada.send("POST", "/api/v1/auth/logout"), "session.end"],
    [
      "recover",
      () => auth("recover", { username: "ada", recoveryCode: "AAAA-AAAA", newPassword }),
      "account.refuse_recovery",
    ],
    [
      "recover",
      () =>
        auth("recover", { username: "ada", recoveryCode: created["code"], newPassword: password }),
      "account.recover",
    ],
    ["", async () => (ada = await service.signIn("ada")), "session.start"],
    [
      "changePassword",
      () => auth("password", { currentPassword: wrong, newPassword }),
      "account.refuse_password",
    ],
    [
      "changePassword",
      () => auth("password", { currentPassword: password, newPassword }),
      "account.change_password",
    ],
    ["", async () => (ada = await service.register("closing")), "account.register"],
    ["", () => ada.send("GET", "/api/v1/account-export"), "account.export"],
    ["closeAccount", () => close(wrong), "account.refuse_password"],
    ["closeAccount", () => close(password), "account.close"],
  ];

  test("every change has a step", () => {
    assert.deepEqual(new Set(steps.map(([id]) => id).filter((id) => id !== "")), new Set(changes));
  });

  let last = "";
  const newEntries = async () => {
    const rows = await service.core.db.read
      .selectFrom("audit")
      .select(["id", "action", "actor", "ip_address"])
      .where("id", ">", last)
      .orderBy("id")
      .execute();
    last = rows.at(-1)?.id ?? last;
    return rows;
  };

  for (const [id, step, ...actions] of steps) {
    const isRefused = actions[0]?.includes(".refuse") === true;
    test(`${id || "a follow-up"} adds exactly ${actions.join(", ") || "nothing"} to the audit`, async () => {
      await newEntries();
      await step();
      created["code"] ??= ada.recoveryCode;
      const entries = await newEntries();
      assert.deepEqual(entries.map(({ action }) => action).toSorted(), actions.toSorted());
      if (id !== "")
        assert.deepEqual(
          actions.filter((action) => !hasText(action)),
          [],
        );
      if (id === "" || actions.length === 0) return;
      // Closing an account erases the addresses of its entries.
      const ipAddress = id === "closeAccount" && !isRefused ? "" : "127.0.0.1";
      assert.equal(entries[0]?.ip_address, ipAddress);
      assert.match(entries[0].actor, isRefused ? /^nobody$/ : /^acc_/);
    });
  }
});
