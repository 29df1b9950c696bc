import {
  idPrefixes,
  isChange,
  operations,
  type IdKind,
  type Operation,
  type OperationId,
} from "@ironlease/contract";
import type { Actor } from "./actors.ts";
import type { Dice } from "./dice.ts";
import type { Draft, Header } from "./draft.ts";
import { valueFor } from "./schema-values.ts";
import { adjustments, type Setting } from "./valid-fields.ts";
import { ownerOf, type World } from "./world.ts";

/** What the identifiers in a path are of, by the noun before them. */
const kindByNoun: Readonly<Record<string, IdKind>> = {
  sessions: "session",
  "api-keys": "apiKey",
  "ssh-keys": "sshKey",
  servers: "server",
  network: "assignment",
  work: "work",
  machines: "machine",
  accounts: "account",
};

export function prefixIn(path: string): string | undefined {
  const kind = kindByNoun[/([^/]+)\/\{/.exec(path)?.[1] ?? ""];
  return kind === undefined ? undefined : idPrefixes[kind];
}

/** A request for the operation that should succeed, as far as what is known of the world is true. */
export async function validRequest(
  world: World,
  dice: Dice,
  number: number,
  operationId: OperationId,
  hosts: Readonly<Record<Operation["listener"], string>>,
): Promise<Draft> {
  const operation: Operation = operations[operationId];
  const actor = actorFor(world, dice, operationId, operation);
  if (actor !== undefined) await world.freshen(actor);
  const id = operation.path.includes("{") ? idFor(world, dice, operationId, actor) : "";
  const setting: Setting = { world, dice, actor, id, number };
  const adjust = adjustments[operationId] ?? ((_, fields) => fields);
  const sample = (schema: object | undefined) =>
    schema === undefined ? undefined : adjust(setting, valueFor(schema, dice) as object as never);
  const json = sample(operation.body);
  return {
    number,
    operationId,
    ...{ listener: operation.listener, actor, method: operation.method },
    path: operation.path.replace(/\{[^}]+\}/, id),
    query: queryOf(sample(operation.query)),
    version: "HTTP/1.1",
    headers: headersFor(setting, operation, hosts[operation.listener]),
    json,
    body: json === undefined ? undefined : Buffer.from(JSON.stringify(json)),
    ...{ isOdd: false, cuts: [], garble: undefined, mutations: [] },
  };
}

/** Operations after which the session, the password or the second factor is another one. */
const endsAccess: readonly OperationId[] = ["signIn", "signOut", "recover", "changePassword"];
const endsDeskAccess: readonly OperationId[] = [
  ...(["signInOperator", "changeOperatorPassword", "signOutOperator"] as const),
  ...(["beginTotp", "confirmTotp"] as const),
];

function actorFor(
  world: World,
  dice: Dice,
  operationId: OperationId,
  { access }: Operation,
): Actor | undefined {
  if (endsAccess.includes(operationId)) return take(world.throwaways, dice, () => true);
  if (operationId === "confirmTotp") {
    return (
      take(world.deskThrowaways, dice, ({ totpSecret }) => totpSecret !== "") ??
      take(world.deskThrowaways, dice, () => true)
    );
  }
  if (endsDeskAccess.includes(operationId)) {
    return take(world.deskThrowaways, dice, ({ totpSecret }) => totpSecret === "");
  }
  if (access.kind === "public") return undefined;
  if (access.kind === "session") return dice.pick(world.rich);
  const holders = world.desk.filter(({ claims }) => claims.size > 0);
  const isHolders = ["releaseWork", "completeWork", "failWork"].includes(operationId);
  if (isHolders && holders.length > 0) return dice.pick(holders);
  // Whoever may do everything, where what is asked for is in the item and not in the table.
  return world.operatorOf(dice, operationId === "claimWork" ? "finance" : access.role);
}

/** Out of the pool: it is put back with what the answer has made of it. */
function take(pool: Actor[], dice: Dice, fits: (actor: Actor) => boolean): Actor | undefined {
  const chosen = dice.pick(pool.filter(fits));
  if (chosen !== undefined) pool.splice(pool.indexOf(chosen), 1);
  return chosen;
}

const unknownId = (prefix: string) => `${prefix}_01h455vb4pex5vsknk084sn02q`;

function idFor(
  world: World,
  dice: Dice,
  operationId: OperationId,
  actor: Actor | undefined,
): string {
  const { known, victims, repairs } = world;
  const prefix = prefixIn(operations[operationId].path) ?? "srv";
  const owner = actor === undefined ? "" : ownerOf(actor);
  const any = () => known.pick(dice, owner, prefix) ?? known.pickAny(dice, prefix);
  const where = (field: string, ...values: readonly string[]) => {
    const isOne = (value: unknown) => values.some((wanted) => wanted === value);
    return dice.pick(
      known.recordsWhere((record) => record.id.startsWith(prefix) && isOne(record[field])),
    )?.id;
  };
  const ofVictims = (state: string) => {
    const ids = victims.map(({ id }) => id);
    const servers = known.recordsWhere(
      (record) => record["state"] === state && ids.some((id) => id === record["accountId"]),
    );
    return dice.pick(servers)?.id;
  };
  const byOperation: Partial<Record<OperationId, () => string | undefined>> = {
    freezeAccount: () => dice.pick(victims)?.id,
    unfreezeAccount: () => repairs.shift()?.accountId ?? dice.pick(victims)?.id,
    adjustBalance: () => dice.pick([...world.rich, ...world.poor])?.id,
    suspendServer: () => ofVictims("ACTIVE"),
    resumeServer: () => where("state", "SUSPENDED"),
    claimWork: () => where("state", "OPEN"),
    releaseWork: () => takeClaim(dice, actor),
    completeWork: () => takeClaim(dice, actor),
    failWork: () => takeClaim(dice, actor),
    changeMachine: () => where("state", "FREE", "DIRTY", "RETIRED"),
    requestAction: () => ownServer(world, dice, owner),
  };
  return byOperation[operationId]?.() ?? any() ?? unknownId(prefix);
}

function takeClaim(dice: Dice, actor: Actor | undefined): string | undefined {
  const claimed = dice.pick([...(actor?.claims ?? [])]);
  if (claimed !== undefined) actor?.claims.delete(claimed);
  return claimed;
}

/** One that takes requests, if the latest answer about it is still true. */
function ownServer({ known }: World, dice: Dice, owner: string): string | undefined {
  const picks = Array.from({ length: 5 }, () => known.pick(dice, owner, "srv"));
  const isReady = (id: string | undefined) =>
    ["ACTIVE", "GRACE"].includes(String(known.record(id ?? "")?.["state"]));
  return picks.find(isReady) ?? picks[0];
}

function queryOf(fields: object | undefined): string {
  if (fields === undefined) return "";
  const parameters = new URLSearchParams(fields as Record<string, string>);
  return parameters.size === 0 ? "" : `?${parameters.toString()}`;
}

function headersFor(
  { world, dice, actor, number }: Setting,
  operation: Operation,
  host: string,
): Header[] {
  const headers: Header[] = [["host", host]];
  const add = (name: string, value: string) => headers.push([name, value]);
  const { access, idempotency } = operation;
  const scope = access.kind === "session" ? dice.pick(access.scopes) : undefined;
  if (scope !== undefined && dice.chance(0.3)) {
    add("authorization", `Bearer ${actor?.keys[scope]}`);
  } else if (actor !== undefined && access.kind !== "public") {
    add("cookie", actor.credentials.cookie);
    if (isChange(operation)) add("x-csrf-token", actor.credentials.csrfToken);
  }
  if (operation.body !== undefined) add("content-type", "application/json");
  if (idempotency !== "none") add("idempotency-key", `fuzz-${number}-${dice.word(6)}`);
  if (operation.versioned === true && isChange(operation) && dice.chance(0.3)) {
    add("if-match", world.known.etag);
  }
  if (dice.chance(0.2)) add("origin", `https://${host}`);
  if (dice.chance(0.5)) add("user-agent", dice.pick(["fuzz", "Mozilla/5.0 (X11; Linux x86_64)"]));
  // Most from somewhere else, through a proxy that is trusted; the rest meet the limits of one address.
  const from = dice.chance(0.2) ? 0 : number;
  add("x-forwarded-for", `198.18.${(from >> 8) & 255}.${from & 255}`);
  return headers;
}
