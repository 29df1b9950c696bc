import { signLiabilities } from "#server/features/liabilities/sign-liabilities.ts";
import { addSamplePayout } from "#test/sample-payout.ts";
import { benchOrder, withCore } from "./rental.ts";
import { sendAs, type BenchService } from "./bench-service.ts";

/** The path ids and query strings with which every read finds data. */
export interface SeededAccount {
  idFor(path: string): string;
  queryFor(path: string): string;
}

const listLength = 5;
const ledgerEntries = 110;
const sshKey = (index: number) =>
  `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA${"ABCDEFGHIJ".charAt(index).repeat(42)} key${index}`;

/** Creates five rows in each list of a customer, and a ledger that fills a page. */
export async function seedAccount(service: BenchService): Promise<SeededAccount> {
  const send = sendAs(service);
  for (let index = 0; index < listLength; index += 1) {
    await send("/api/v1/api-keys", { name: `key ${index}`, scope: "read" });
    await send("/api/v1/ssh-keys", { name: `key ${index}`, publicKey: sshKey(index) });
    await send("/api/v1/orders", benchOrder, `seeded-order-${index}`);
    await send("/api/v1/withdrawal-addresses", {
      asset: "ETH",
      destination: `0x${String(index + 1).padStart(40, "0")}`,
      label: `Wallet ${index}`,
    });
    await send("/api/v1/deposit-addresses", { asset: "BTC" });
    await send("/api/v1/threads", { subject: `Disk ${index}`, text: "Please check it." });
  }
  await send("/api/v1/webhooks", { url: "https://hooks.example.com/" });
  // Withdrawals fill the ledger, because orders would lengthen the list of servers.
  for (let index = 0; index < ledgerEntries; index += 1) {
    await send("/api/v1/withdrawals", {
      asset: "ETH",
      destination: "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed",
      usd: 1,
    });
  }
  const read = async (port: number, path: string, cookie: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { cookie } });
    return (await answer.json()) as Record<string, readonly { readonly id: string }[]>;
  };
  const { servers = [] } = await read(service.port, "/api/v1/servers", service.cookie);
  const { threads = [] } = await read(service.port, "/api/v1/threads", service.cookie);
  const { entries = [] } = await read(service.port, "/api/v1/ledger", service.cookie);
  const { webhooks = [] } = await read(service.port, "/api/v1/webhooks", service.cookie);
  const { depositAddresses = [] } = await read(
    service.port,
    "/api/v1/deposit-addresses",
    service.cookie,
  );
  const { work = [] } = await read(
    service.operatorPort,
    "/operator/v1/work",
    service.operatorCookie,
  );
  const { machines = [] } = await read(
    service.operatorPort,
    "/operator/v1/machines?state=RESERVED",
    service.operatorCookie,
  );
  const { operators = [] } = await read(
    service.operatorPort,
    "/operator/v1/operators",
    service.operatorCookie,
  );
  const { versions = [] } = (await read(
    service.operatorPort,
    "/operator/v1/catalogue/versions",
    service.operatorCookie,
  )) as { versions?: readonly { readonly version: number }[] };
  const ids: Readonly<Record<string, string | undefined>> = {
    "/api/v1/servers/{id}": servers[0]?.id,
    "/api/v1/threads/{id}": threads[0]?.id,
    "/operator/v1/threads/{id}": threads[0]?.id,
    "/api/v1/idempotency-keys/{key}": "seeded-order-0",
    "/api/v1/webhooks/{id}": webhooks[0]?.id,
    "/api/v1/deposit-addresses/{id}": depositAddresses[0]?.id,
    "/api/v1/ledger/entries/{id}": entries[0]?.id,
    "/operator/v1/work/{id}": work[0]?.id,
    "/operator/v1/machines/{id}": machines[0]?.id,
    "/operator/v1/servers/{id}": servers[0]?.id,
    "/operator/v1/accounts/{id}": service.accountId,
    "/operator/v1/operators/{id}": operators[0]?.id,
    "/operator/v1/catalogue/versions/{version}": String(versions[0]?.version),
    "/api/v1/liabilities/{date}": await withCore(
      service.data,
      service.databaseUrl,
      async (core) => (await signLiabilities(core))?.tree.date,
    ),
    "/operator/v1/payouts/{id}": await withCore(service.data, service.databaseUrl, addSamplePayout),
  };
  const queries: Readonly<Record<string, string>> = {
    "/api/v1/quote": `?${new URLSearchParams({ ...benchOrder, quantity: "1" }).toString()}`,
    "/operator/v1/accounts": "?query=bench",
    "/operator/v1/search": "?query=bench",
  };
  // A path below a record uses the id of that record.
  const recordOf = (path: string) => path.slice(0, path.indexOf("}") + 1);
  return { idFor: (path) => ids[recordOf(path)] ?? "", queryFor: (path) => queries[path] ?? "" };
}
