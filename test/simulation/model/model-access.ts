import { limits } from "@ironlease/contract";
import { Authenticator } from "#test/authenticator.ts";
import {
  isSignedIn,
  newAccess,
  type ModelAccess,
  type Sent,
  type StoredAccess,
} from "./access-state.ts";
import type { AccessRequest, Request } from "./operations.ts";
import { account, emit, startTime, type Model, type ModelAccount } from "./state.ts";

export const origin = "https://localhost:8443";
const stepMs = 30_000;
const freshMs = 15 * 60_000;

const accessKinds: ReadonlySet<string> = new Set<AccessRequest["kind"]>([
  ...(["signIn", "beginFactor", "confirmFactor", "removeFactor", "recover"] as const),
  ...(["changePassword", "close", "addPasskey", "passkeySignIn", "removePasskey"] as const),
]);

export function isAccessRequest(operation: Request): operation is AccessRequest {
  return accessKinds.has(operation.kind);
}

/** Gives a customer of the model the session and the code that the service has issued. */
export function setAccess(
  model: Model,
  index: number,
  { sessionId, recoveryCode }: { readonly sessionId: string; readonly recoveryCode: string },
): void {
  const session = { id: sessionId, signedInAt: startTime };
  account(model, { account: index }).access = newAccess(session, recoveryCode);
}

/** What the client sends now, which later changes may make useless. */
export function sentBy(model: Model, operation: Request): Sent {
  const customer = account(model, "account" in operation ? operation : { account: 0 });
  const { session, password, recoveryCode, factor, pending, passkeys, removed } = customer.access;
  const devices = [...passkeys, ...removed];
  const saved = "key" in operation ? customer.addresses.get(operation.key) : undefined;
  return {
    session,
    password,
    recoveryCode,
    secret: factor?.secret,
    pendingSecret: pending?.secret,
    code: factor?.codes[0],
    passkey: "passkey" in operation ? devices[operation.passkey % devices.length] : undefined,
    authenticator: operation.kind === "addPasskey" ? new Authenticator(origin) : undefined,
    addressId: saved?.id ?? "wad_none",
  };
}

/**
 * The outcome of a request if nothing changes before the service decides. Undefined if its session has ended: then every
 * refusal is right.
 */
export function judgeAccess(
  model: Model,
  operation: AccessRequest,
  sent: Sent,
  requestedAt: number,
): string | undefined {
  const customer = account(model, operation);
  const { access } = customer;
  const passwordOutcome =
    "isRight" in operation && operation.isRight && sent.password === access.password
      ? "ok"
      : "invalid_credentials";
  switch (operation.kind) {
    case "signIn":
      if (access.isClosed || passwordOutcome !== "ok") return "invalid_credentials";
      return judgeProof(access, operation.proof, sent, requestedAt);
    case "passkeySignIn": {
      const passkey = access.passkeys.find(({ id }) => id === sent.passkey?.id);
      if (passkey === undefined || operation.how === "replayed") return "invalid_credentials";
      const isCopied = operation.how === "copied" && passkey.counter > 0;
      return isCopied ? "invalid_credentials" : "ok";
    }
    case "recover": {
      const isRight = operation.isRight && sent.recoveryCode === access.recoveryCode;
      return isRight && !access.isClosed ? "ok" : "invalid_credentials";
    }
    default:
      break;
  }
  if (!isSignedIn(access, sent.session)) return undefined;
  if (operation.kind === "changePassword") return passwordOutcome;
  if (operation.kind === "close") {
    return passwordOutcome === "ok" && !isEmpty(model, operation.account)
      ? "account_not_empty"
      : passwordOutcome;
  }
  if (requestedAt >= sent.session.signedInAt + freshMs) return "conflict";
  switch (operation.kind) {
    case "beginFactor":
      return access.factor === undefined ? "ok" : "conflict";
    case "confirmFactor":
      if (access.factor !== undefined || access.pending === undefined) return "conflict";
      return operation.isRight && sent.pendingSecret === access.pending.secret
        ? "ok"
        : "invalid_credentials";
    case "removeFactor":
      return access.factor === undefined ? "not_found" : "ok";
    case "addPasskey":
      return "ok";
    case "removePasskey":
      return access.passkeys.some(({ id }) => id === sent.passkey?.id) ? "ok" : "not_found";
  }
}

function judgeProof(
  { factor }: ModelAccess,
  proof: "none" | "app" | "recovery" | "wrong",
  { secret, code }: Sent,
  requestedAt: number,
): string {
  if (factor === undefined) return "ok";
  const isMissing = proof === "none" || (proof === "app" && secret === undefined);
  if (isMissing || (proof === "recovery" && code === undefined)) return "second_factor_required";
  const isRight =
    proof === "app"
      ? secret === factor.secret && Math.floor(requestedAt / stepMs) > factor.lastStep
      : proof === "recovery" && factor.codes.includes(code ?? "");
  return isRight ? "ok" : "invalid_credentials";
}

/** What closing an account requires. */
export function isEmpty(model: Model, index: number): boolean {
  const { available, held, servers } = account(model, { account: index });
  const isOnItsWay = [...model.payments.values()].some(
    (payment) => payment.account === index && payment.recorded !== -1 && !payment.isCredited,
  );
  const isRented = servers.some(({ state }) => state !== "TERMINATED");
  return available === 0 && held === 0 && !isOnItsWay && !isRented;
}

/** What the service answered and stored when a request took effect. */
interface AccessEffect {
  readonly stored: StoredAccess;
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
  readonly recoveryCode: string;
}

/** Applies a request that has taken effect. Ids and secrets come from the service. Returns the problem, if any. */
export function applyAccess(
  model: Model,
  operation: AccessRequest,
  sent: Sent,
  { stored, secret, recoveryCodes, recoveryCode }: AccessEffect,
): string | undefined {
  const customer = account(model, operation);
  const { access } = customer;
  model.accessChanges.push(operation.kind);
  switch (operation.kind) {
    case "signIn": {
      const { factor } = access;
      startSession(model, customer, stored);
      if (factor === undefined) return undefined;
      access.factor = {
        ...factor,
        lastStep: stored.lastStep,
        codes: factor.codes.filter((code) => operation.proof !== "recovery" || code !== sent.code),
      };
      const isUsedUp =
        operation.proof === "app"
          ? stored.lastStep > factor.lastStep
          : stored.lastStep === factor.lastStep;
      return isUsedUp ? undefined : "a code was accepted again";
    }
    case "passkeySignIn": {
      startSession(model, customer, stored);
      const passkey = access.passkeys.find(({ id }) => id === sent.passkey?.id);
      const counter = stored.passkeys.find(({ id }) => id === passkey?.id)?.counter ?? 0;
      if (passkey === undefined) return "a passkey that was removed signed in";
      const hasGrown = counter > passkey.counter || (counter === 0 && passkey.counter === 0);
      passkey.counter = counter;
      return hasGrown ? undefined : "a counter that did not grow was accepted";
    }
    case "beginFactor":
      access.pending = { secret, sealed: stored.pending ?? "" };
      return undefined;
    case "confirmFactor":
      if (access.pending === undefined) return "nothing was being set up";
      access.factor = { ...access.pending, lastStep: stored.lastStep, codes: recoveryCodes };
      access.pending = undefined;
      access.sessions = [sent.session];
      return undefined;
    case "removeFactor":
      access.factor = access.pending = undefined;
      return undefined;
    case "recover":
      removeFactors(access);
      access.password = sent.password + 1;
      access.recoveryCode = recoveryCode;
      access.sessions = [];
      return undefined;
    case "changePassword":
      access.password = sent.password + 1;
      access.sessions = [];
      return undefined;
    case "addPasskey": {
      const added = stored.passkeys.find(({ id }) => access.passkeys.every((own) => own.id !== id));
      const { authenticator } = sent;
      if (added === undefined || authenticator === undefined) return "no passkey was added";
      access.passkeys = [...access.passkeys, { ...added, authenticator, answer: undefined }];
      return undefined;
    }
    case "removePasskey":
      access.removed.push(...access.passkeys.filter(({ id }) => id === sent.passkey?.id));
      access.passkeys = access.passkeys.filter(({ id }) => id !== sent.passkey?.id);
      return undefined;
    case "close":
      close(model, operation.account);
      return undefined;
  }
}

/** The oldest session ends when there are too many. */
function startSession({ now }: Model, customer: ModelAccount, stored: StoredAccess): void {
  const { access } = customer;
  const id = stored.sessions.find((each) => access.sessions.every((own) => own.id !== each)) ?? "";
  access.session = { id, signedInAt: now };
  access.sessions = [...access.sessions, access.session].slice(-limits.sessionsPerAccount);
  emit(customer, "session.created");
}

function removeFactors(access: ModelAccess): void {
  access.factor = access.pending = undefined;
  access.removed.push(...access.passkeys);
  access.passkeys = [];
}

/** Access and personal data end. Servers, withdrawals, deposits and the balance stay on record. */
function close(model: Model, index: number): void {
  const customer = account(model, { account: index });
  removeFactors(customer.access);
  customer.access.isClosed = true;
  customer.access.sessions = [];
  customer.lock = undefined;
  customer.addresses.clear();
  customer.events.clear();
  for (const { power } of customer.servers) for (const each of power) each.action = undefined;
  for (const name of model.keys.keys()) {
    if (name.startsWith(`account ${index} `)) model.keys.delete(name);
  }
}
