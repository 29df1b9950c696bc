import { sealText } from "@ironlease/age/seal";
import { sendDueWebhooks } from "#server/features/webhooks/send-webhooks.ts";
import type { ConsoleService } from "./console-service.ts";
import { write } from "./console-service.ts";
import { operatorCall } from "./operators.ts";
import { ddosWorkOf, offer } from "./quotes.ts";
import { giveContact } from "./contacts.ts";
import { setServerState } from "./rental.ts";
import type { Customer } from "./service.ts";
import { passkeyClient } from "./passkeys.ts";
import { newSshKey } from "./ssh-keys.ts";

const dayMs = 86_400_000;
const publicKey =
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGJvR3h5dUVqY0tqUXlVb0Vpb2VqZGhzamtsYXNkZmdo ada@laptop";

/** What distinguishes the history of one account from another's. */
interface Person {
  readonly username: string;
  /** Where it withdraws to. */
  readonly payee?: string;
  readonly withdrawUsd?: string;
  /** Of the host names. */
  readonly domain?: string;
  /** The last order, which is not delivered yet. */
  readonly lastOrder?: { readonly configId: string; readonly regionId: string };
}

/** How long the history is. A service that started so long ago has it in its reports, which read entries by their ids. */
export const historyDays = 25;

/** Registers an account with data in every list, created over the past 25 days. */
export async function populateAccount(service: ConsoleService, username: string): Promise<void> {
  await populateAccounts(service, [{ username }]);
}

/** Registers several, whose histories take place at the same time. */
export async function populateAccounts(
  service: ConsoleService,
  people: readonly Person[],
): Promise<void> {
  service.clock.advance((service.startedDaysAgo - historyDays) * dayMs);
  const histories = people.map((person) => history(service, person));
  let isOver = false;
  while (!isOver) {
    let days = 0;
    for (const part of histories) {
      const { value, done } = await part.next();
      isOver = done === true;
      days = value ?? 0;
    }
    service.clock.advance(days * dayMs);
  }
  await publishNotice(service);
}

/** Yields the days until the next part. */
async function* history(service: ConsoleService, person: Person): AsyncGenerator<number, void> {
  const { username, payee = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4" } = person;
  const { withdrawUsd = "120.50", domain = "example.com" } = person;
  const { lastOrder = { configId: "gpu-l", regionId: "iad" } } = person;
  await service.register(username);
  let customer: Customer = await service.signIn(username);
  const deposit = async (asset: string) => {
    const created = await write<{ address: string }>(
      customer,
      "POST",
      "/api/v1/deposit-addresses",
      {
        asset,
      },
    );
    return created.address;
  };
  const order = async (fields: object) => {
    const { serverIds } = await write<{ serverIds: string[] }>(customer, "POST", "/api/v1/orders", {
      regionId: "fra",
      osId: "debian-13",
      term: "monthly",
      quantity: 1,
      ...fields,
    });
    return serverIds;
  };

  await giveContact(service.core, username, `${username}@${domain}`);
  await service.pay(await deposit("BTC"), "0.01");
  yield 2;
  customer = await service.signIn(username);
  await write(customer, "POST", "/api/v1/ssh-keys", { name: "Ada's laptop", publicKey });
  const workstation = newSshKey();
  await write(customer, "POST", "/api/v1/ssh-keys", {
    name: "Workstation",
    publicKey: workstation.publicKey,
  });
  await write(customer, "POST", "/api/v1/api-keys", { name: "Monitoring", scope: "servers" });
  await write(customer, "POST", "/api/v1/withdrawal-addresses", {
    asset: "BTC",
    destination: "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
    label: "Cold wallet",
  });
  await passkeyClient(service.url, "/api/v1").add(customer.send);
  const [web1 = "", web2 = ""] = await order({ configId: "metal-m", quantity: 2 });
  yield 1;
  customer = await service.signIn(username);
  await service.deliver(web1, `web1.${domain}`);
  await service.deliver(web2, `web2.${domain}`);
  yield 8;
  customer = await service.signIn(username);
  await service.pay(await deposit("XMR"), "4.25");
  yield 6;
  customer = await service.signIn(username);
  const [db1 = ""] = await order({ configId: "metal-s", regionId: "ams", term: "weekly" });
  await service.deliver(db1, `db1.${domain}`);
  await write(customer, "PUT", `/api/v1/servers/${web1}/ddos`, { mode: "ADVANCED" });
  await write(customer, "POST", `/api/v1/servers/${web1}/actions`, { action: "reboot" });
  await service.complete("SERVER_ACTION", web1, { note: "It answers pings again." });
  yield 5;
  customer = await service.signIn(username);
  await customer.send("PUT", `/api/v1/servers/${db1}/renewal`, { body: { autoRenew: false } });
  await setServerState(service.core, { id: db1 }, "GRACE");
  await write(customer, "POST", "/api/v1/withdrawals", {
    asset: "BTC",
    destination: payee,
    usd: withdrawUsd,
  });
  await write(customer, "POST", "/api/v1/threads", {
    subject: "Invoice address",
    text: "Can you put our company name on the invoices?",
  });
  await sealTo(service, web2, workstation.publicKey);
  await write(customer, "POST", "/api/v1/threads", {
    subject: "Second disk",
    text: "The second disk reports read errors. Could you check it?",
    serverId: web2,
  });
  await write(customer, "POST", "/api/v1/webhooks", {
    url: `https://hooks.${domain}/ironlease`,
    events: ["deposit.credited", "session.created", "balance.low"],
  });
  yield 3;
  customer = await service.signIn(username);
  const quoting = await operatorCall(service.core, "support");
  await offer(service.core, quoting, await ddosWorkOf(service.core, web1), 45);
  const operator = await service.operator("support");
  const { accounts } = (await operator.send("GET", `/operator/v1/accounts?query=${username}`)).json;
  await write(operator, "POST", `/operator/v1/accounts/${accounts[0].id}/notes`, {
    text: "Called about the invoices. Wants the company name on them.",
  });
  await customer.send("PUT", `/api/v1/servers/${web2}/label`, { body: { label: "Shop frontend" } });
  await sendDueWebhooks({ ...service.core, postWebhook: async () => ({ status: 204 }) });
  const { assignments } = (await customer.send("GET", "/api/v1/network")).json;
  await customer.send("PUT", `/api/v1/network/${assignments[0].id}/rdns`, {
    body: { ptr: `web1.${domain}` },
  });
  const [mistake = ""] = await order({ configId: "metal-s", term: "weekly" });
  await write(customer, "POST", `/api/v1/servers/${mistake}/cancel`, {});
  await order(lastOrder);
  await service.pay(await deposit("LTC"), "2.5", { confirmations: 3 });
}

async function publishNotice(service: ConsoleService): Promise<void> {
  const operator = await service.operator("support");
  const soon = (days: number) => new Date(service.clock.now() + days * dayMs).toISOString();
  await write(operator, "POST", "/operator/v1/notices", {
    kind: "MAINTENANCE",
    title: "Power maintenance in Frankfurt",
    text: "Servers stay on. One of two power feeds is off for two hours.",
    startsAt: soon(2),
    endsAt: soon(3),
    regionIds: ["fra"],
  });
}

/** An operator sends a sealed message in the thread of a server. */
async function sealTo(service: ConsoleService, serverId: string, publicKey: string): Promise<void> {
  const operator = await service.operator("support");
  const about = { serverId, text: "Here is the console link." };
  const thread = await write<{ id: string }>(operator, "POST", "/operator/v1/threads", about);
  const { sshKeys } = (await operator.send("GET", `/operator/v1/threads/${thread.id}`)).json;
  const key = sshKeys.find((saved: { publicKey: string }) => saved.publicKey === publicKey);
  const ciphertext = await sealText("https://kvm.example.com/s/4711", publicKey);
  const expiresAt = new Date(service.clock.now() + 30 * dayMs).toISOString();
  const sealed = { ciphertext, fingerprint: key.fingerprint, expiresAt };
  await write(operator, "POST", `/operator/v1/threads/${thread.id}/messages`, { sealed });
}
