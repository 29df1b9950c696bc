import { usdFromCents } from "@ironlease/contract";
import { inspectServer } from "#features/customers/inspect-server.ts";
import { listCharges, type Charge } from "#features/ledger/list-charges.ts";
import { findMachine } from "#features/machines/machine-record.ts";
import { listServerWork } from "#features/work/list-server-work.ts";
import type { Core } from "#kernel/core.ts";
import { isoTime } from "#kernel/iso-time.ts";
import { ok } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";
import { assignmentOnWire } from "#http/handlers/network.ts";
import { operatorServerOnWire, summaryOnWire } from "./customer-wire.ts";
import { machineOnWire } from "./machines.ts";
import { workOnWire } from "./work.ts";

export function customerServerHandlers(core: Core): Handlers<"inspectServer"> {
  return {
    inspectServer: async ({ parameters: { id } }) => {
      const inspected = await inspectServer(core, id);
      if (!inspected.ok) return inspected;
      const { server, account, assignments, threadId } = inspected.value;
      const [machine, work, charges] = await Promise.all([
        findMachine(core.db.read, server.machineId),
        listServerWork(core, id),
        listCharges(core, server),
      ]);
      if (machine === undefined) throw new Error(`${id} has no machine`);
      return ok({
        status: 200,
        body: {
          server: operatorServerOnWire(server),
          account: summaryOnWire(account),
          machine: machineOnWire(machine),
          assignments: assignments.map(assignmentOnWire(core)),
          work: work.map(workOnWire),
          charges: charges.map(chargeOnWire),
          threadId,
        },
      });
    },
  };
}

function chargeOnWire({ createdAt, amountCents, ...charge }: Charge) {
  return { ...charge, createdAt: isoTime(createdAt), amountUsd: usdFromCents(amountCents) };
}
