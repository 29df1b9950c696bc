import { cleanText, record, styleFor, type Column } from "@ironlease/command-line";
import { usdFromCents } from "@ironlease/contract";
import { findAccountId } from "#features/customers/find-account-id.ts";
import { inspectAccount, type InspectedAccount } from "#features/customers/inspect-account.ts";
import { isoTime, isoTimeOrNull, minuteText } from "#kernel/iso-time.ts";
import type { NameCall } from "#commands/change-by-name.ts";
import { tableOf } from "#commands/show-list.ts";
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
    frozenReason: account.frozenReason,
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

const usd = (amount: number) => `${amount.toFixed(2)} USD`;

const serverColumns: readonly Column<Document["servers"][number]>[] = [
  { field: "id", heading: "SERVER", cell: ({ id }) => id },
  { field: "state", heading: "STATE", cell: ({ state }) => state },
  { field: "configId", heading: "CONFIGURATION", cell: ({ configId }) => configId },
  { field: "regionId", heading: "REGION", cell: ({ regionId }) => regionId },
  { field: "paidThrough", heading: "PAID THROUGH", cell: ({ paidThrough }) => paidThrough ?? "" },
];

const withdrawalColumns: readonly Column<Document["pendingWithdrawals"][number]>[] = [
  { field: "id", heading: "PENDING WITHDRAWAL", cell: ({ id }) => id },
  { field: "asset", heading: "ASSET", cell: ({ asset }) => asset },
  { field: "usd", heading: "AMOUNT", cell: (withdrawal) => usd(withdrawal.usd) },
  { field: "createdAt", heading: "REQUESTED", cell: ({ createdAt }) => createdAt },
];

function linesOf(document: Document, { createdAt }: InspectedAccount): readonly string[] {
  const { servers, pendingWithdrawals } = document;
  return [
    record(styleFor({}, {}), [
      ["Account", document.id],
      ["Username", document.username],
      ["State", document.state],
      ...(document.frozenReason === null ? [] : [["Reason", document.frozenReason] as const]),
      ["Created", minuteText(createdAt)],
      ["Balance", usd(document.balanceUsd)],
      ["Held", usd(document.heldUsd)],
      ["Sessions", String(document.sessions)],
      ["API keys", String(document.apiKeys)],
    ]),
    ...section(serverColumns, servers),
    ...section(withdrawalColumns, pendingWithdrawals),
  ];
}

function section<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): readonly string[] {
  return rows.length === 0 ? [] : ["", tableOf(columns, rows)];
}
