import { errors, type ErrorBody, type ErrorCode } from "@ironlease/contract";
import { securityHeaders } from "#server/http/answers/security-headers.ts";
import { headerOf, isOfNoRequest, type WireAnswer } from "./http-answers.ts";
import { jsonOf, type OpenApiOracle } from "./openapi-oracle.ts";

/** What was asked, as far as anybody can tell from the bytes. */
export interface Asked {
  readonly method: string;
  readonly path: string;
}

/** What precedes any operation, so that it answers everywhere. */
const framing: readonly ErrorCode[] = [
  "bad_request",
  "uri_too_long",
  "headers_too_large",
  "expectation_failed",
  "misdirected_request",
];

/** Headers of every answer and of none in particular. Whatever else comes, a document must name. */
const usual = new Set([
  ...Object.keys(securityHeaders),
  ...["x-request-id", "content-type", "content-length", "date", "connection", "keep-alive"],
]);
const byStatus: Readonly<Record<number, readonly string[]>> = { 405: ["allow"] };

const challenge = "www-authenticate";

/** What would tell a stranger how the service is made. */
const inner =
  /\n\s+at |\.[jt]s:\d|node_modules|sqlite|postgres|kysely|\bselect .+ from\b|insert into|constraint|TypeError|undefined|\[object|ENOENT|ECONN/i;

/** Everything that is wrong with an answer, in sentences; an empty list is a good answer. */
export function faultsOf(
  oracle: OpenApiOracle,
  asked: Asked | undefined,
  answer: WireAnswer,
): string[] {
  const faults = headerFaults(answer);
  if (answer.status >= 500) faults.push(`the status is ${answer.status}`);
  const place = asked === undefined ? undefined : oracle.placeOf(asked.path);
  const isHead = asked?.method === "HEAD" && !isOfNoRequest(answer);
  const method = asked?.method === "HEAD" ? "GET" : asked?.method;
  const isKnown = place !== undefined && method !== undefined && place.methods.has(method);
  if (asked !== undefined && isKnown) {
    const documented = oracle.documented(place.template, method, answer.status);
    if (documented === undefined) return [...faults, "the status is not documented there"];
    const named = new Set([...usual, ...documented.headers]);
    faults.push(...strangeHeaders(answer, named));
    faults.push(...bodyFaults(answer, documented.validate, isHead));
    // Only where there are keys is there somebody to be challenged for one.
    const code = codeOf(answer);
    const isChallenge = code === "authentication_required" && documented.headers.has(challenge);
    if (isChallenge && headerOf(answer, challenge) !== "Bearer") faults.push("no challenge");
  } else if (answer.status < 300) {
    // A page for people. The interfaces have none.
    const isPage = asked !== undefined && !isUnderInterfaces(asked.path);
    if (asked !== undefined && (!isPage || place !== undefined)) faults.push("nothing is there");
  } else {
    const named = new Set([...usual, ...(byStatus[answer.status] ?? [])]);
    if (asked !== undefined) faults.push(...strangeHeaders(answer, named));
    faults.push(...bodyFaults(answer, oracle.error, isHead));
    if (asked !== undefined && !isHead) {
      const only: ErrorCode[] = place === undefined ? ["not_found"] : [];
      // Pages have other methods than those that were asked for, too.
      const isSomething = place !== undefined || !isUnderInterfaces(asked.path);
      if (isSomething) only.push("method_not_allowed", "origin_rejected");
      const code = codeOf(answer);
      const isPossible = [...framing, ...only].some((possible) => possible === code);
      if (!isPossible) faults.push(`${code} cannot be the answer there`);
    }
  }
  return faults;
}

const isUnderInterfaces = (path: string) => /^\/(?:api|operator)\//.test(path);

function headerFaults(answer: WireAnswer): string[] {
  const faults: string[] = [];
  const names = answer.headers.map(([name]) => name).filter((name) => name !== "set-cookie");
  const doubled = names.filter((name, index) => names.indexOf(name) !== index);
  if (doubled.length > 0) faults.push(`headers twice: ${doubled.join(", ")}`);
  if (
    !/^req_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(
      headerOf(answer, "x-request-id") ?? "",
    )
  ) {
    faults.push("no x-request-id");
  }
  const type = headerOf(answer, "content-type");
  // Pages say something of their own about a few of them.
  const isPage = answer.status === 200 && type?.startsWith("application/json") !== true;
  for (const [name, value] of Object.entries(securityHeaders)) {
    const sent = headerOf(answer, name);
    if (isPage ? sent === undefined : sent !== value) faults.push(`${name} is not "${value}"`);
  }
  return faults;
}

function strangeHeaders({ headers }: WireAnswer, named: ReadonlySet<string>): string[] {
  return headers
    .filter(([name]) => !named.has(name))
    .map(([name]) => `the header ${name} is not documented`);
}

function bodyFaults(
  answer: WireAnswer,
  validate: (((value: unknown) => unknown) & { errors?: unknown }) | undefined,
  isHead: boolean,
): string[] {
  if (isHead) return answer.body.length === 0 ? [] : ["HEAD has a body"];
  if (validate === undefined) return answer.body.length === 0 ? [] : ["there is a body"];
  if (headerOf(answer, "content-type") !== "application/json; charset=utf-8") {
    return ["the body is not said to be JSON in UTF-8"];
  }
  let json: unknown;
  try {
    json = jsonOf(answer);
  } catch {
    return ["the body is no JSON in UTF-8"];
  }
  if (validate(json) !== true) return [`not the schema: ${JSON.stringify(validate.errors)}`];
  return answer.status < 400 ? [] : errorFaults(answer, json as ErrorBody);
}

/** What the contract says of errors and a schema cannot. */
function errorFaults(answer: WireAnswer, { error }: ErrorBody): string[] {
  const faults: string[] = [];
  if (errors[error.code].status !== answer.status) faults.push(`${error.code} has another status`);
  if (error.requestId !== headerOf(answer, "x-request-id")) faults.push("another request id");
  if (error.fields?.length === 0) faults.push("fields without a field");
  const sentences = [error.message, ...(error.fields ?? []).map(({ message }) => message)];
  if (sentences.some((text) => text === "" || text.length > 1_000)) faults.push("no sentence");
  if (sentences.some((text) => inner.test(text))) faults.push("a sentence tells of the inside");
  const needs = (header: string, pattern: RegExp) => {
    if (!pattern.test(headerOf(answer, header) ?? "")) faults.push(`no good ${header} header`);
  };
  if (error.code === "method_not_allowed") needs("allow", /^[A-Z]+(?:, [A-Z]+)*$/);
  if (error.code === "rate_limited") {
    needs("retry-after", /^[1-9]\d*$/);
    needs("ratelimit", /^"\w+";r=0;t=\d+$/);
    needs("ratelimit-policy", /^"\w+";q=\d+;w=\d+$/);
  }
  return faults;
}

export function codeOf(answer: WireAnswer): string | undefined {
  try {
    return (jsonOf(answer) as Partial<ErrorBody>).error?.code;
  } catch {
    return undefined;
  }
}
