import { throwawayOf, type Actor } from "./actors.ts";
import { operationOf, type Draft } from "./draft.ts";
import { headerOf, type WireAnswer } from "./http-answers.ts";
import { codeOf } from "./judge-answer.ts";
import { jsonOf } from "./openapi-oracle.ts";
import { ownerOf, type World } from "./world.ts";

const maxSpares = 20;

/** Takes note of what an answer says about the world, so that the next requests can be right. */
export async function learn(world: World, draft: Draft, answer: WireAnswer): Promise<void> {
  if (answer.status < 300) await learnSuccess(world, draft, answer);
  else learnRefusal(world, draft, codeOf(answer));
}

/** Those whose access may have ended go back to where the next request finds them. */
export function putBack(world: World, actor: Actor): void {
  const isLasting = [...world.rich, ...world.desk].includes(actor);
  if (isLasting || actor.isSpent) return;
  const pool = actor.side === "account" ? world.throwaways : world.deskThrowaways;
  if (!pool.includes(actor) && pool.length < maxSpares) pool.push(actor);
}

function learnRefusal(world: World, draft: Draft, code: string | undefined): void {
  const { actor } = draft;
  if (actor === undefined) return;
  if (code === "authentication_required" || code === "session_invalid") actor.isStale = true;
  if (code === "account_frozen" && world.rich.includes(actor)) {
    world.repairs.push({ accountId: actor.id });
  }
  if (code === "not_found") forgetId(world, draft);
}

function forgetId({ known }: World, { path, actor }: Draft): void {
  const id = /[a-z]{3}_[0-9a-z]{26}/.exec(path)?.[0];
  if (id !== undefined && actor !== undefined) known.forget(ownerOf(actor), id);
}

async function learnSuccess(world: World, draft: Draft, answer: WireAnswer): Promise<void> {
  const { actor, operationId, method } = draft;
  // What another path or the other listener has answered is another story.
  if (operationOf(draft) !== operationId || method === "HEAD") return;
  const json = answer.body.length === 0 ? {} : (jsonOf(answer) as Record<string, unknown>);
  if (actor !== undefined && isOwn(draft, actor)) world.known.learn(ownerOf(actor), json);
  const sent = (sentIn(draft) ?? {}) as Record<string, string>;
  const credentials = credentialsIn(answer, json);
  switch (operationId) {
    case "register":
      await addThrowaway(world, { ...sent, ...json } as never, credentials);
      break;
    case "signIn":
    case "signInOperator":
      if (actor !== undefined) Object.assign(actor, { credentials, isStale: false });
      break;
    case "recover":
      if (actor === undefined) break;
      actor.isStale = true;
      actor.password = sent["newPassword"] ?? "";
      actor.recoveryCode = String(json["recoveryCode"]);
      break;
    case "changePassword":
    case "changeOperatorPassword":
      if (actor === undefined) break;
      actor.isStale = true;
      actor.password = sent["newPassword"] ?? "";
      break;
    case "signOut":
    case "signOutOperator":
      if (actor !== undefined) actor.isStale = true;
      break;
    case "revokeSession":
    case "revokeApiKey":
    case "removeSshKey":
      forgetId(world, draft);
      break;
    case "createDepositAddress":
      world.known.noteAddress(String(json["address"]));
      break;
    case "beginTotp":
      if (actor !== undefined) actor.totpSecret = String(json["secret"]);
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

/** Whether the answer was for the one whose request it was meant to be. */
function isOwn({ headers }: Draft, { credentials, keys }: Actor): boolean {
  const values = headers.map(([, value]) => value);
  return (
    values.includes(credentials.cookie) ||
    Object.values(keys).some((key) => values.includes(`Bearer ${key}`))
  );
}

function sentIn({ body }: Draft): unknown {
  if (body === undefined) return undefined;
  try {
    return JSON.parse(body.toString());
  } catch {
    // It came in chunks: whoever it was about is signed in anew.
    return undefined;
  }
}

function credentialsIn(answer: WireAnswer, json: Record<string, unknown>) {
  const cookies = answer.headers
    .filter(([name]) => name === "set-cookie")
    .map(([, value]) => value.split(";", 1)[0]);
  return { cookie: cookies.join("; "), csrfToken: String(json["csrfToken"]) };
}

async function addThrowaway(
  world: World,
  known: { username: string; password: string; recoveryCode: string },
  credentials: Actor["credentials"],
): Promise<void> {
  if (world.throwaways.length < maxSpares) {
    world.throwaways.push(await throwawayOf(world.core, known, credentials));
  }
}

/** One that has its second factor cannot set it up again: another one takes the place. */
async function replaceOperator(world: World, actor: Actor | undefined): Promise<void> {
  if (actor === undefined) return;
  actor.isSpent = true;
  world.deskThrowaways.push(await world.newDeskThrowaway());
}
