import { endServer, graceMs, newWork, termMs, type Model, type ModelServer } from "./state.ts";

/** A pass: whatever is due, the earliest first, until nothing more can be done about any of it. */
export function renew(model: Model): string {
  const servers = model.accounts.flatMap((customer) => customer.servers);
  const stuck = new Set<ModelServer>();
  for (;;) {
    const [next] = servers
      .filter((server) => isDue(server, model.now) && !stuck.has(server))
      .toSorted((a, b) => (dueAt(a) - dueAt(b) === 0 ? a.number - b.number : dueAt(a) - dueAt(b)));
    if (next === undefined) return "ok";
    if (!renewOne(model, next)) stuck.add(next);
  }
}

function dueAt({ paidThrough }: ModelServer): number {
  return paidThrough ?? 0;
}

function isDue({ state, paidThrough }: ModelServer, now: number): boolean {
  const isDelivered = state === "ACTIVE" || state === "GRACE" || state === "SUSPENDED";
  return isDelivered && paidThrough !== null && paidThrough <= now;
}

/** Whether there may be more to do about it in this pass. */
function renewOne(model: Model, server: ModelServer): boolean {
  const due = dueAt(server);
  const { owner } = server;
  if (server.autoRenew && owner.available >= server.priceCents) {
    owner.available -= server.priceCents;
    server.paidThrough = due + termMs;
    if (server.state === "GRACE") server.state = "ACTIVE";
    return true;
  }
  if (due + graceMs <= model.now) {
    endServer(server);
    server.reclaim = newWork();
  } else if (server.state === "ACTIVE") server.state = "GRACE";
  return false;
}
