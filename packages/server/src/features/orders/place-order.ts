import { usdFromCents } from "@ironlease/contract";
import { audit } from "#kernel/audit.ts";
import {
  choiceText,
  currentCatalogue,
  priceOf,
  sharesOf,
  type Catalogue,
  type Choice,
} from "#kernel/catalogue.ts";
import type { CustomerCall, Keyed, Step } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { once, type Effect, type RecordedAnswer } from "#kernel/idempotency.ts";
import { reserveMachines } from "#kernel/inventory.ts";
import { refuseDebit } from "#kernel/insufficient-balance.ts";
import { move } from "#kernel/ledger.ts";
import { recordEvent } from "#kernel/outbox/record-event.ts";
import { addServer } from "#kernel/server-states.ts";
import { readSshPublicKey } from "#kernel/ssh-public-key.ts";
import { queueWork } from "#kernel/work-queue/items.ts";
import { preparedInsert } from "#kernel/sql/prepared.ts";
import { sendTogether } from "#kernel/sql/send-together.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuseField } from "#kernel/result.ts";

export interface PlacedOrder {
  readonly id: string;
  readonly status: "ACCEPTED";
  readonly totalUsd: number;
  readonly serverIds: readonly string[];
}

/**
 * Charges the catalogue price and reserves the machines, or changes nothing. The checks run in this order: key,
 * catalogue, funds, capacity.
 */
export async function placeOrder(
  core: Core,
  call: Keyed<CustomerCall>,
  input: Choice & { readonly sshPublicKey?: string | undefined },
): Promise<Result<RecordedAnswer<PlacedOrder>>> {
  const sshKey =
    input.sshPublicKey === undefined ? undefined : readSshPublicKey(input.sshPublicKey);
  if (sshKey?.ok === false) return refuseField("sshPublicKey", sshKey.message);
  const { configId, regionId, osId, term, quantity } = input;
  const choice: Choice = { configId, regionId, osId, term, quantity };
  const sshPublicKey = sshKey?.value.publicKey ?? null;

  return core.db.write((tx) => {
    const step = { tx, core, call };
    return once(
      step,
      { ...choice, sshPublicKey },
      (catalogue) => charge(step, catalogue, choice, sshPublicKey),
      () => currentCatalogue(tx, core),
    );
  });
}

async function charge(
  step: Step<CustomerCall>,
  catalogue: Catalogue,
  choice: Choice,
  sshPublicKey: string | null,
): Promise<Result<Effect<PlacedOrder>>> {
  const { tx, core, call } = step;
  const price = priceOf(catalogue, choice, core.clock.now());
  if (!price.ok) return price;
  const { totalCents } = price.value;
  const orderId = core.ids.next("order");
  const [paid, machines] = await sendTogether(
    move(step, {
      type: "ORDER_CHARGE",
      accountId: call.accountId,
      cents: totalCents,
      cause: `order/${orderId}`,
      description: choiceText(catalogue, choice),
      reference: { kind: "order", id: orderId },
    }),
    reserveMachines(tx, choice),
  );
  if (!paid.ok) {
    return refuseDebit(tx, { accountId: call.accountId, cents: totalCents }, "You");
  }
  if (!machines.ok) return machines;

  const serverIds = machines.value.map(() => core.ids.next("server"));
  await record(step, {
    orderId,
    choice,
    totalCents,
    sshPublicKey,
    serverIds,
    machineIds: machines.value,
  });
  await audit(step, "order.place", orderId, { ...choice, totalCents });
  const totalUsd = usdFromCents(totalCents);
  const data = { orderId, totalUsd, serverIds };
  await recordEvent(step, { accountId: call.accountId, type: "order.accepted", data });
  const body = { id: orderId, status: "ACCEPTED", totalUsd, serverIds } as const;
  return ok({ status: 201, body, reference: orderId });
}

interface OrderRows {
  readonly orderId: string;
  readonly choice: Choice;
  readonly totalCents: number;
  readonly sshPublicKey: string | null;
  readonly serverIds: readonly string[];
  readonly machineIds: readonly string[];
}

const insertOrder = preparedInsert("orders", [
  "id",
  "account_id",
  "config_id",
  "region_id",
  "os_id",
  "term",
  "quantity",
  "total_cents",
  "ssh_public_key",
  "created_at",
]);

/** Adds the order, one server per machine, and the work to deliver each server. */
async function record(step: Step<CustomerCall>, rows: OrderRows): Promise<void> {
  const { tx, core } = step;
  const { accountId } = step.call;
  const { orderId, choice, totalCents, serverIds, machineIds } = rows;
  const now = core.clock.now();
  await insertOrder(tx, {
    id: orderId,
    account_id: accountId,
    config_id: choice.configId,
    region_id: choice.regionId,
    os_id: choice.osId,
    term: choice.term,
    quantity: choice.quantity,
    total_cents: totalCents,
    ssh_public_key: rows.sshPublicKey,
    created_at: now,
  });
  const shares = sharesOf(totalCents, choice.quantity);
  for (const [index, id] of serverIds.entries()) {
    await addServer(tx, {
      id,
      account_id: accountId,
      order_id: orderId,
      config_id: choice.configId,
      region_id: choice.regionId,
      os_id: choice.osId,
      term: choice.term,
      price_cents: shares[index] ?? 0,
      machine_id: machineIds[index] ?? "",
      created_at: now,
    });
  }
  await queueWork(
    step,
    serverIds.map((serverId, index) => ({
      kind: "PROVISION" as const,
      accountId,
      orderId,
      serverId,
      detail: {
        machineId: machineIds[index] ?? "",
        configId: choice.configId,
        regionId: choice.regionId,
        osId: choice.osId,
        sshPublicKey: rows.sshPublicKey,
      },
    })),
  );
}
