import { cleanText } from "@ironlease/command-line";
import { usdFromCents } from "@ironlease/contract";
import { findAccountId } from "#features/customers/find-account-id.ts";
import { inspectAccount, type InspectedAccount } from "#features/customers/inspect-account.ts";
import { isoTime, isoTimeOrNull, minuteText } from "#kernel/iso-time.ts";
import { aligned } from "#commands/aligned.ts";
import type { NameCall } from "#commands/change-by-name.ts";
import { checkDataFolder, withDatabase } from "#commands/with-database.ts";

/** Prints one customer's balance, access and servers. Exit code 1 if there is no such account. */
export function showAccount({ args: { name }, env, print, data }: NameCall): Promise<number> {
  return withDatabase(env, print, checkDataFolder, async (core) => {
    const id = await findAccountId(core, name);
    const account = id === undefined ? undefined : await inspectAccount(core, id);
    if (account?.ok !== true) {
      print(`There is no account ${cleanText(name)}.`);
      return 1;
    }
    const document = documentOf(account.value);
    data(document);
    for (const line of linesOf(document, account.value)) print(line);
    return 0;
  });
}

function stateOf({ frozenAt, closedAt }: InspectedAccount): "OPEN" | "FROZEN" | "CLOSED" {
  if (closedAt !== null) return "CLOSED";
  return frozenAt === null ? "OPEN" : "FROZEN";
}

type Document = ReturnType<typeof documentOf>;

function documentOf(account: InspectedAccount) {
  const { id, username, sessions, apiKeys, frozenAt, closedAt } = account;
  return {
    id,
    username,
    state: stateOf(account),
    createdAt: isoTime(account.createdAt),
    frozenAt: isoTimeOrNull(frozenAt),
    closedAt: isoTimeOrNull(closedAt),
    balanceUsd: usdFromCents(account.balanceCents),
    heldUsd: usdFromCents(account.heldCents),
    sessions,
    apiKeys,
    servers: account.servers
      .filter(({ state }) => state !== "TERMINATED")
      .map((server) => ({
        id: server.id,
        state: server.state,
        configId: server.configId,
        regionId: server.region,
        machineId: server.machineId,
        paidThrough: isoTimeOrNull(server.paidThrough),
      })),
    pendingWithdrawals: account.withdrawals
      .filter(({ status }) => status === "PENDING_REVIEW")
      .map(({ cents, ...withdrawal }) => ({
        id: withdrawal.id,
        asset: withdrawal.asset,
        usd: usdFromCents(cents),
        createdAt: isoTime(withdrawal.createdAt),
      })),
  };
}

function linesOf(document: Document, { createdAt }: InspectedAccount): readonly string[] {
  const { servers, pendingWithdrawals } = document;
  const usd = (amount: number) => `${amount.toFixed(2)} USD`;
  return [
    ...aligned([
      ["Account", document.id],
      ["Username", document.username],
      ["State", document.state],
      ["Created", minuteText(createdAt)],
      ["Balance", usd(document.balanceUsd)],
      ["Held", usd(document.heldUsd)],
      ["Sessions", String(document.sessions)],
      ["API keys", String(document.apiKeys)],
    ]),
    ...section(
      ["SERVER", "STATE", "CONFIGURATION", "REGION", "PAID THROUGH"],
      servers.map((server) => [
        server.id,
        server.state,
        server.configId,
        server.regionId,
        server.paidThrough ?? "",
      ]),
    ),
    ...section(
      ["PENDING WITHDRAWAL", "ASSET", "AMOUNT", "REQUESTED"],
      pendingWithdrawals.map((withdrawal) => [
        withdrawal.id,
        withdrawal.asset,
        usd(withdrawal.usd),
        withdrawal.createdAt,
      ]),
    ),
  ];
}

function section(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  return rows.length === 0 ? [] : ["", ...aligned([headings, ...rows])];
}
