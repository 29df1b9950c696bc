import {
  assets,
  checklistKinds,
  idPrefixes,
  isChange,
  operations,
  type IdKind,
  type Operation,
  type OperationId,
} from "@ironlease/contract";
import type { Actor } from "./actors.ts";
import type { SeededRandom } from "./seeded-random.ts";
import type { Draft, Header } from "./draft.ts";
import { valueFor } from "./schema-values.ts";
import { adjustments, type RequestContext } from "./valid-fields.ts";
import { operatorsOwner, ownerOf, type World } from "./world.ts";

/** The kind of an id in a path, by the noun before it. */
const kindByNoun: Readonly<Record<string, IdKind>> = {
  "deposit-addresses": "depositAddress",
  sessions: "session",
  passkeys: "passkey",
  "api-keys": "apiKey",
  "ssh-keys": "sshKey",
  "withdrawal-addresses": "withdrawalAddress",
  entries: "ledgerEntry",
  servers: "server",
  network: "assignment",
  work: "work",
  machines: "machine",
  subnets: "subnet",
  accounts: "account",
  threads: "thread",
  notices: "notice",
  "saved-replies": "savedReply",
  webhooks: "webhook",
};

export function prefixIn(path: string): string | undefined {
  const kind = kindByNoun[/([^/]+)\/\{/.exec(path)?.[1] ?? ""];
  return kind === undefined ? undefined : idPrefixes[kind];
}

/** A request that should succeed, if the world still matches what earlier answers said. */
export async function validRequest(
  world: World,
  random: SeededRandom,
  number: number,
  operationId: OperationId,
  hosts: Readonly<Record<Operation["listener"], string>>,
): Promise<Draft> {
  const operation: Operation = operations[operationId];
  const actor = actorFor(world, random, operationId, operation);
  if (actor !== undefined) await world.renewSession(actor);
  const id = operation.path.includes("{") ? idFor(world, random, operationId, actor) : "";
  const context: RequestContext = { world, random, actor, id, number, hosts };
  const adjust = adjustments[operationId] ?? ((_, fields) => fields);
  const sample = (schema: object | undefined) =>
    schema === undefined ? undefined : adjust(context, valueFor(schema, random) as object as never);
  const json = sample(operation.body);
  return {
    number,
    operationId,
    listener: operation.listener,
    actor,
    method: operation.method,
    path:
      deliveryPath(world, random, operationId, actor) ??
      operation.path
        .replace(/\{[^}]+\}/, id)
        .replace("{deliveryId}", unknownId(idPrefixes.delivery))
        .replace("{sessionId}", sessionOf(world, random)),
    query: queryOf(sample(operation.query)),
    version: "HTTP/1.1",
    headers: headersFor(context, operation, hosts[operation.listener]),
    json,
    body: json === undefined ? undefined : Buffer.from(JSON.stringify(json)),
    mayEndConnection: false,
    cuts: [],
    corrupt: undefined,
    mutations: [],
  };
}

/** Operations that change the session, the password or the second factor. */
const endsAccess: readonly OperationId[] = [
  ...(["signIn", "signOut", "recover", "changePassword", "closeAccount"] as const),
  "beginSecondFactor",
];
/** Which disposable customers the operation succeeds for. */
const fitsCustomer: Partial<Record<OperationId, (actor: Actor) => boolean>> = {
  confirmSecondFactor: ({ totpSecret, hasSecondFactor }) => totpSecret !== "" && !hasSecondFactor,
  removeSecondFactor: ({ hasSecondFactor }) => hasSecondFactor,
};
/** Would refuse the funded customers' withdrawals from then on. */
const endsWithdrawals: readonly OperationId[] = ["setWithdrawalLock"];
const hasClaim = ({ claims }: Actor) => claims.size > 0;
/** Which operators the operation succeeds for, if any is ready for it. */
const fitsOperator: Partial<Record<OperationId, (actor: Actor, world: World) => boolean>> = {
  releaseWork: hasClaim,
  offerQuote: ({ claims }, world) => [...claims].some((id) => isAdvanced(world, id)),
  tickWork: hasClaim,
  completeWork: hasClaim,
  failWork: hasClaim,
  finishOperatorPasskey: ({ passkeyOptions }) => passkeyOptions !== undefined,
  removeOperatorPasskey: ({ passkeyIds }) => passkeyIds.length > 0,
};
const endsOperatorAccess: readonly OperationId[] = [
  ...(["signInOperator", "changeOperatorPassword", "signOutOperator"] as const),
  ...(["beginTotp", "confirmTotp"] as const),
];

function actorFor(
  world: World,
  random: SeededRandom,
  operationId: OperationId,
  { access }: Operation,
): Actor | undefined {
  const fits = fitsCustomer[operationId];
  if (fits !== undefined) {
    const customers = world.disposableCustomers;
    return take(customers, random, fits) ?? take(customers, random, () => true);
  }
  if ([...endsAccess, ...endsWithdrawals].includes(operationId))
    return take(world.disposableCustomers, random, ({ hasSecondFactor }) => !hasSecondFactor);
  if (operationId === "confirmTotp") {
    return (
      take(world.disposableOperators, random, ({ totpSecret }) => totpSecret !== "") ??
      take(world.disposableOperators, random, () => true)
    );
  }
  if (endsOperatorAccess.includes(operationId)) {
    return take(world.disposableOperators, random, ({ totpSecret }) => totpSecret === "");
  }
  if (access.kind === "public") return undefined;
  if (operationId === "redeliver") {
    const owners = world.funded.filter(({ id }) =>
      world.deliveries.some(({ owner }) => owner === id),
    );
    if (owners.length > 0) return random.pick(owners);
  }
  if (access.kind === "session") return random.pick(world.funded);
  const fitsHere = fitsOperator[operationId] ?? (() => false);
  const ready = world.operators.filter((operator) => fitsHere(operator, world));
  if (ready.length > 0) return random.pick(ready);
  // The role that a claim needs depends on the work item. Finance may claim every kind.
  return world.operatorOf(
    random,
    operationId === "claimWork" || operationId === "assignWork" ? "finance" : access.role,
  );
}

/** Takes an actor out of the pool until its request is answered. */
function take(
  pool: Actor[],
  random: SeededRandom,
  fits: (actor: Actor) => boolean,
): Actor | undefined {
  const chosen = random.pick(pool.filter(fits));
  if (chosen !== undefined) pool.splice(pool.indexOf(chosen), 1);
  return chosen;
}

const unknownId = (prefix: string) => `${prefix}_01h455vb4pex5vsknk084sn02q`;

function idFor(
  world: World,
  random: SeededRandom,
  operationId: OperationId,
  actor: Actor | undefined,
): string {
  const { known, operatorTargets, accountsToUnfreeze } = world;
  const prefix = prefixIn(operations[operationId].path) ?? "srv";
  const owner = actor === undefined ? "" : ownerOf(actor);
  const any = () => known.pick(random, owner, prefix) ?? known.pickAny(random, prefix);
  const where = (field: string, ...values: readonly string[]) => {
    const isOne = (value: unknown) => values.some((wanted) => wanted === value);
    return random.pick(
      known.recordsWhere((record) => record.id.startsWith(prefix) && isOne(record[field])),
    )?.id;
  };
  const ofVictims = (state: string) => {
    const ids = operatorTargets.map(({ id }) => id);
    const servers = known.recordsWhere(
      (record) => record["state"] === state && ids.some((id) => id === record["accountId"]),
    );
    return random.pick(servers)?.id;
  };
  const isPlain = (id: string) => !isAdvanced(world, id);
  const byOperation: Partial<Record<OperationId, () => string | undefined>> = {
    readLiabilities: () => new Date().toISOString().slice(0, 10),
    freezeAccount: () => random.pick(operatorTargets)?.id,
    unfreezeAccount: () =>
      accountsToUnfreeze.shift()?.accountId ?? random.pick(operatorTargets)?.id,
    readCatalogueVersion: () => "1",
    setRate: () => random.pick(assets),
    setChecklist: () => random.pick(checklistKinds),
    changeOperator: () => random.pick(hired(world)),
    resetOperator: () => random.pick(hired(world)),
    listOperatorSessions: () => world.idleOperator,
    endOperatorSession: () => world.idleOperator,
    tickWork: () => random.pick([...(actor?.claims ?? [])]),
    adjustBalance: () => random.pick([...world.funded, ...world.unfunded])?.id,
    suspendServer: () => ofVictims("ACTIVE"),
    resumeServer: () => where("state", "SUSPENDED"),
    claimWork: () => where("state", "OPEN"),
    assignWork: () => where("state", "OPEN", "CLAIMED"),
    releaseWork: () => takeClaim(random, actor, isPlain),
    offerQuote: () => takeClaim(random, actor, (id) => isAdvanced(world, id)),
    completeWork: () => takeClaim(random, actor, isPlain),
    failWork: () => takeClaim(random, actor, isPlain),
    changeMachine: () => where("state", "FREE", "DIRTY", "RETIRED"),
    requestAction: () => ownServer(world, random, owner),
    acceptQuote: () =>
      random.pick(world.quotedServers.filter((server) => server.owner === owner))?.id,
    findIdempotencyKey: () => actor?.lastKey,
    removeOperatorPasskey: () => actor?.passkeyIds.pop(),
    cancelServer: () => ownServer(world, random, owner, ["PROVISIONING"]),
  };
  return byOperation[operationId]?.() ?? any() ?? unknownId(prefix);
}

/** Operators that this run has added. No actor is one of them. */
function hired({ known }: World): readonly string[] {
  const records = known.recordsWhere(({ username }) => String(username).startsWith("hired"));
  return records.map(({ id }) => id).filter((id) => id.startsWith(idPrefixes.operator));
}

/** A session of an operator, as an admin has listed it. */
function sessionOf({ known }: World, random: SeededRandom): string {
  return known.pick(random, operatorsOwner, idPrefixes.session) ?? unknownId(idPrefixes.session);
}

/** A delivery and its webhook, which only a list of deliveries shows together. */
function deliveryPath(
  { deliveries }: World,
  random: SeededRandom,
  operationId: OperationId,
  actor: Actor | undefined,
): string | undefined {
  if (operationId !== "redeliver") return undefined;
  const own = deliveries.filter(({ owner }) => owner === actor?.id);
  return random.pick(own.length === 0 ? deliveries : own)?.path;
}

/** Whether the item asks for DDoS mode ADVANCED, which an operator can offer a quote for. */
function isAdvanced({ known }: World, id: string): boolean {
  const detail = known.record(id)?.["detail"];
  return (detail as { readonly mode?: unknown } | undefined)?.mode === "ADVANCED";
}

/** An item that the actor has claimed, preferably one that fits. */
function takeClaim(
  random: SeededRandom,
  actor: Actor | undefined,
  fits: (id: string) => boolean = () => true,
): string | undefined {
  const claims = [...(actor?.claims ?? [])];
  const claimed = random.pick(claims.filter(fits)) ?? random.pick(claims);
  if (claimed !== undefined) actor?.claims.delete(claimed);
  return claimed;
}

/** A server in one of the states, according to the latest answer about it. */
function ownServer(
  { known }: World,
  random: SeededRandom,
  owner: string,
  states: readonly string[] = ["ACTIVE", "GRACE"],
): string | undefined {
  const picks = Array.from({ length: 5 }, () => known.pick(random, owner, "srv"));
  const isReady = (id: string | undefined) =>
    states.includes(String(known.record(id ?? "")?.["state"]));
  return picks.find(isReady) ?? picks[0];
}

function queryOf(fields: object | undefined): string {
  if (fields === undefined) return "";
  const parameters = new URLSearchParams(fields as Record<string, string>);
  return parameters.size === 0 ? "" : `?${parameters.toString()}`;
}

function headersFor(
  { world, random, actor, number }: RequestContext,
  operation: Operation,
  host: string,
): Header[] {
  const headers: Header[] = [["host", host]];
  const add = (name: string, value: string) => headers.push([name, value]);
  const { access, idempotency } = operation;
  const scope = access.kind === "session" ? random.pick(access.scopes) : undefined;
  if (scope !== undefined && random.chance(0.3)) {
    add("authorization", `Bearer ${actor?.keys[scope]}`);
  } else if (actor !== undefined && access.kind !== "public") {
    add("cookie", actor.credentials.cookie);
    if (isChange(operation)) add("x-csrf-token", actor.credentials.csrfToken);
  }
  if (operation.body !== undefined) add("content-type", "application/json");
  if (idempotency !== "none") add("idempotency-key", `fuzz-${number}-${random.word(6)}`);
  if (operation.versioned === true && isChange(operation) && random.chance(0.3)) {
    add("if-match", world.known.etag);
  }
  if (operation.streamed?.includes("csv") === true && random.chance(0.5)) add("accept", "text/csv");
  if (random.chance(0.2)) add("origin", `https://${host}`);
  if (random.chance(0.5))
    add("user-agent", random.pick(["fuzz", "Mozilla/5.0 (X11; Linux x86_64)"]));
  // Most requests come from different addresses. The rest share one address, to reach its limits.
  const from = random.chance(0.2) ? 0 : number;
  add("x-forwarded-for", `198.18.${(from >> 8) & 255}.${from & 255}`);
  return headers;
}
