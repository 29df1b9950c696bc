import { readCsv } from "@ironlease/csv";
import { errors, type ErrorBody, type ErrorCode } from "@ironlease/contract";
import { securityHeaders } from "#server/http/answers/security-headers.ts";
import { headerOf, isAnswerToUnparsed, type WireAnswer } from "./http-answers.ts";
import { jsonOf, type OpenApiOracle } from "./openapi-oracle.ts";

/** The method and path of a request, as far as its bytes show them. */
export interface RequestLine {
  readonly method: string;
  readonly path: string;
}

/** Codes that any request can get, because the service checks these before it finds the operation. */
const framing: readonly ErrorCode[] = [
  "bad_request",
  "uri_too_long",
  "headers_too_large",
  "expectation_failed",
  "misdirected_request",
];

/** Headers that any answer may have. Every other header must be documented. */
const commonHeaders = new Set([
  ...Object.keys(securityHeaders),
  ...[
    "x-request-id",
    "content-type",
    "content-length",
    "transfer-encoding",
    "date",
    "connection",
    "keep-alive",
  ],
]);
const headersByStatus: Readonly<Record<number, readonly string[]>> = { 405: ["allow"] };

const challenge = "www-authenticate";

/** Internal details that an answer must not reveal. */
const internalDetail =
  /\n\s+at |\.[jt]s:\d|node_modules|sqlite|postgres|kysely|\bselect .+ from\b|insert into|constraint|TypeError|undefined|\[object|ENOENT|ECONN/i;

/** Lists everything that is wrong with an answer. */
export function faultsOf(
  oracle: OpenApiOracle,
  requestLine: RequestLine | undefined,
  answer: WireAnswer,
): string[] {
  const faults = headerFaults(answer);
  if (answer.status >= 500) faults.push(`status ${answer.status}`);
  const documentedPath =
    requestLine === undefined ? undefined : oracle.documentedPath(requestLine.path);
  const isHead = requestLine?.method === "HEAD" && !isAnswerToUnparsed(answer);
  const method = requestLine?.method === "HEAD" ? "GET" : requestLine?.method;
  const isKnown =
    documentedPath !== undefined && method !== undefined && documentedPath.methods.has(method);
  if (requestLine !== undefined && isKnown) {
    const documented = oracle.documented(documentedPath.template, method, answer.status);
    if (documented === undefined) return [...faults, "the status is not documented"];
    const allowed = new Set([...commonHeaders, ...documented.headers]);
    faults.push(...undocumentedHeaders(answer, allowed));
    const isCsv = headerOf(answer, "content-type") === "text/csv; charset=utf-8";
    if (isCsv && documented.mayBeCsv) faults.push(...csvFaults(answer, isHead));
    else faults.push(...bodyFaults(answer, documented.validate, isHead));
    // Only operations that accept API keys document a challenge.
    const code = codeOf(answer);
    const isChallenge = code === "authentication_required" && documented.headers.has(challenge);
    if (isChallenge && headerOf(answer, challenge) !== "Bearer") {
      faults.push(`${challenge} is not "Bearer"`);
    }
  } else if (answer.status < 300) {
    // The listeners also serve HTML pages, but not under the API paths.
    const isPage = requestLine !== undefined && !isApiPath(requestLine.path);
    if (requestLine !== undefined && (!isPage || documentedPath !== undefined)) {
      faults.push("2xx, but the document has no such operation");
    }
  } else {
    const allowed = new Set([...commonHeaders, ...(headersByStatus[answer.status] ?? [])]);
    if (requestLine !== undefined) faults.push(...undocumentedHeaders(answer, allowed));
    faults.push(...bodyFaults(answer, oracle.error, isHead));
    if (requestLine !== undefined && !isHead) {
      const codes: ErrorCode[] = documentedPath === undefined ? ["not_found"] : [];
      // Pages, like documented paths, refuse other methods.
      const mayExist = documentedPath !== undefined || !isApiPath(requestLine.path);
      if (mayExist) codes.push("method_not_allowed", "origin_rejected");
      const code = codeOf(answer);
      const isPossible = [...framing, ...codes].some((possible) => possible === code);
      if (!isPossible) faults.push(`${code} is not possible for this method and path`);
    }
  }
  return faults;
}

const isApiPath = (path: string) => /^\/(?:api|operator)\//.test(path);

function headerFaults(answer: WireAnswer): string[] {
  const faults: string[] = [];
  const names = answer.headers.map(([name]) => name).filter((name) => name !== "set-cookie");
  const doubled = names.filter((name, index) => names.indexOf(name) !== index);
  if (doubled.length > 0) faults.push(`repeated headers: ${doubled.join(", ")}`);
  if (
    !/^req_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(
      headerOf(answer, "x-request-id") ?? "",
    )
  ) {
    faults.push("missing or invalid x-request-id");
  }
  const type = headerOf(answer, "content-type");
  // Pages have their own values for some of these headers.
  const isPage = answer.status === 200 && type?.startsWith("application/json") !== true;
  for (const [name, value] of Object.entries(securityHeaders)) {
    const sent = headerOf(answer, name);
    if (isPage ? sent === undefined : sent !== value) faults.push(`${name} is not "${value}"`);
  }
  return faults;
}

function undocumentedHeaders({ headers }: WireAnswer, allowed: ReadonlySet<string>): string[] {
  return headers
    .filter(([name]) => !allowed.has(name))
    .map(([name]) => `the header ${name} is not documented`);
}

function csvFaults({ body }: WireAnswer, isHead: boolean): string[] {
  if (isHead) return body.length === 0 ? [] : ["the answer to HEAD has a body"];
  const read = readCsv(body.toString());
  const lengths = read.ok ? new Set(read.rows.map(({ cells }) => cells.length)) : new Set();
  return lengths.size === 1 ? [] : ["the body is not a table in CSV"];
}

function bodyFaults(
  answer: WireAnswer,
  validate: (((value: unknown) => unknown) & { errors?: unknown }) | undefined,
  isHead: boolean,
): string[] {
  if (isHead) return answer.body.length === 0 ? [] : ["the answer to HEAD has a body"];
  if (validate === undefined) return answer.body.length === 0 ? [] : ["unexpected body"];
  if (headerOf(answer, "content-type") !== "application/json; charset=utf-8") {
    return ["content-type is not JSON in UTF-8"];
  }
  let json: unknown;
  try {
    json = jsonOf(answer);
  } catch {
    return ["the body is not JSON in UTF-8"];
  }
  if (validate(json) !== true) {
    return [`the body does not match the schema: ${JSON.stringify(validate.errors)}`];
  }
  return answer.status < 400 ? [] : errorFaults(answer, json as ErrorBody);
}

/** Checks what the contract requires of errors but a schema cannot express. */
function errorFaults(answer: WireAnswer, { error }: ErrorBody): string[] {
  const faults: string[] = [];
  const { status } = errors[error.code];
  if (status !== answer.status) faults.push(`${error.code} must have status ${status}`);
  if (error.requestId !== headerOf(answer, "x-request-id")) {
    faults.push("the request ids in body and header differ");
  }
  if (error.fields?.length === 0) faults.push("fields is empty");
  const messages = [error.message, ...(error.fields ?? []).map(({ message }) => message)];
  if (messages.some((text) => text === "" || text.length > 1_000)) {
    faults.push("a message is empty or too long");
  }
  if (messages.some((text) => internalDetail.test(text))) {
    faults.push("a message reveals an internal detail");
  }
  const needs = (header: string, pattern: RegExp) => {
    if (!pattern.test(headerOf(answer, header) ?? "")) {
      faults.push(`missing or invalid ${header} header`);
    }
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
