import type { CreationOptions, RequestOptions } from "#test/authenticator.ts";
import { disposableCustomerOf, type Actor } from "./actors.ts";
import { operationOf, type Draft } from "./draft.ts";
import { headerOf, type WireAnswer } from "./http-answers.ts";
import { codeOf } from "./check-answer.ts";
import { jsonOf } from "./openapi-oracle.ts";
import { ownerOf, type World } from "./world.ts";

const maxDisposable = 20;

/** Updates the world from an answer, so that later requests can be valid. */
export async function updateWorld(world: World, draft: Draft, answer: WireAnswer): Promise<void> {
  if (answer.status < 300) await applySuccess(world, draft, answer);
  else applyRefusal(world, draft, codeOf(answer));
}

/** Returns a disposable actor to its pool for the next request. */
export function returnToPool(world: World, actor: Actor): void {
  const isLasting = [...world.funded, ...world.operators].includes(actor);
  if (isLasting || actor.isUsedUp) return;
  const pool = actor.side === "account" ? world.disposableCustomers : world.disposableOperators;
  if (!pool.includes(actor) && pool.length < maxDisposable) pool.push(actor);
}

function applyRefusal(world: World, draft: Draft, code: string | undefined): void {
  const { actor } = draft;
  if (actor === undefined) return;
  if (code === "authentication_required" || code === "session_invalid") actor.isStale = true;
  if (code === "account_frozen" && world.funded.includes(actor)) {
    world.accountsToUnfreeze.push({ accountId: actor.id });
  }
  if (code === "not_found") forgetId(world, draft);
}

function forgetId({ known }: World, { path, actor }: Draft): void {
  const id = /[a-z]{3}_[0-9a-z]{26}/.exec(path)?.[0];
  if (id !== undefined && actor !== undefined) known.forget(ownerOf(actor), id);
}

async function applySuccess(world: World, draft: Draft, answer: WireAnswer): Promise<void> {
  const { actor, operationId, method } = draft;
  // A mutated request may have reached another operation, whose answer says nothing about this one.
  if (operationOf(draft) !== operationId || method === "HEAD") return;
  // CSV has nothing that the same answer in JSON does not have.
  if (headerOf(answer, "content-type")?.startsWith("text/csv") === true) return;
  const json = answer.body.length === 0 ? {} : (jsonOf(answer) as Record<string, unknown>);
  if (actor !== undefined && isOwn(draft, actor)) world.known.collect(ownerOf(actor), json);
  if (actor !== undefined) actor.lastKey = keyIn(draft) ?? actor.lastKey;
  const sent = (sentIn(draft) ?? {}) as Record<string, string>;
  const credentials = credentialsIn(answer, json);
  switch (operationId) {
    case "register":
      await addDisposableCustomer(world, { ...sent, ...json } as never, credentials);
      break;
    case "signIn":
    case "signInOperator":
      if (actor !== undefined) Object.assign(actor, { credentials, isStale: false });
      break;
    case "recover":
      if (actor === undefined) break;
      actor.isStale = true;
      actor.hasSecondFactor = false;
      actor.password = sent["newPassword"] ?? "";
      actor.recoveryCode = String(json["recoveryCode"]);
      break;
    case "changePassword":
    case "changeOperatorPassword":
      if (actor === undefined) break;
      actor.isStale = true;
      actor.password = sent["newPassword"] ?? "";
      break;
    case "closeAccount":
      if (actor !== undefined) actor.isUsedUp = true;
      break;
    case "signOut":
    case "signOutOperator":
      if (actor !== undefined) actor.isStale = true;
      break;
    case "revokeSession":
    case "revokeApiKey":
    case "removeSshKey":
    case "removePasskey":
    case "removeOperatorPasskey":
    case "removeWithdrawalAddress":
    case "deleteWebhook":
      forgetId(world, draft);
      break;
    case "listDeliveries":
      for (const { id } of json["deliveries"] as readonly { readonly id: string }[]) {
        world.deliveries.push({ owner: actor?.id ?? "", path: `${draft.path}/${id}/redeliver` });
      }
      break;
    case "createDepositAddress":
      world.known.addAddress(String(json["address"]));
      break;
    case "beginPasskey":
    case "beginOperatorPasskey":
      if (actor !== undefined) actor.passkeyOptions = json["options"] as CreationOptions;
      break;
    case "beginPasskeySignIn":
    case "beginOperatorPasskeySignIn":
      world.passkeys[draft.listener].offered.push(json["options"] as RequestOptions);
      break;
    case "finishPasskey":
    case "finishOperatorPasskey":
      if (actor?.authenticator === undefined) break;
      world.passkeys[draft.listener].authenticators.push(actor.authenticator);
      actor.passkeyIds.push(String(json["id"]));
      actor.passkeyOptions = undefined;
      break;
    case "beginSecondFactor":
    case "beginTotp":
      if (actor !== undefined) actor.totpSecret = String(json["secret"]);
      break;
    case "confirmSecondFactor":
      if (actor !== undefined) actor.hasSecondFactor = true;
      break;
    case "removeSecondFactor":
      if (actor !== undefined) Object.assign(actor, { hasSecondFactor: false, totpSecret: "" });
      break;
    case "confirmTotp":
      await replaceOperator(world, actor);
      break;
    case "claimWork":
      if (actor !== undefined && isOwn(draft, actor)) actor.claims.add(String(json["id"]));
      break;
    case "readCatalogueDocument":
    case "replaceCatalogue":
      world.known.etag = headerOf(answer, "etag") ?? world.known.etag;
      break;
    default:
  }
}

/** Whether the request still has the actor's own credentials. */
function isOwn({ headers }: Draft, { credentials, keys }: Actor): boolean {
  const values = headers.map(([, value]) => value);
  return (
    values.includes(credentials.cookie) ||
    Object.values(keys).some((key) => values.includes(`Bearer ${key}`))
  );
}

function keyIn({ headers }: Draft): string | undefined {
  return headers.find(([name]) => name === "idempotency-key")?.[1];
}

function sentIn({ body }: Draft): unknown {
  if (body === undefined) return undefined;
  try {
    return JSON.parse(body.toString());
  } catch {
    // A chunked body is not JSON. The new password is then unknown, but renewing the session does not need it.
    return undefined;
  }
}

function credentialsIn(answer: WireAnswer, json: Record<string, unknown>) {
  const cookies = answer.headers
    .filter(([name]) => name === "set-cookie")
    .map(([, value]) => value.split(";", 1)[0]);
  return { cookie: cookies.join("; "), csrfToken: String(json["csrfToken"]) };
}

async function addDisposableCustomer(
  world: World,
  known: { username: string; password: string; recoveryCode: string },
  credentials: Actor["credentials"],
): Promise<void> {
  if (world.disposableCustomers.length < maxDisposable) {
    world.disposableCustomers.push(await disposableCustomerOf(world.core, known, credentials));
  }
}

/** An operator with a second factor cannot set it up again, so a new operator takes the documentedPath. */
async function replaceOperator(world: World, actor: Actor | undefined): Promise<void> {
  if (actor === undefined) return;
  actor.isUsedUp = true;
  world.disposableOperators.push(await world.newDisposableOperator());
}
