import type { OperationRow } from "./api.ts";
import type { FieldError, Refusal } from "./errors.ts";
import { errorStatuses } from "./generated/errors.ts";
import type { WireAnswer } from "./wire.ts";

/** The metadata of a response. */
export interface AnswerDetails {
  readonly status: number;
  /** Identifies the request in the service's log. */
  readonly requestId: string;
  /** Whether this is the stored response to an earlier copy of the request. */
  readonly isReplay: boolean;
  readonly etag: string | null;
  /** The Date header of the service. */
  readonly date: string | null;
}

export type ReadAnswer =
  | { readonly kind: "success"; readonly body: unknown; readonly details: AnswerDetails }
  | { readonly kind: "refusal"; readonly refusal: Refusal }
  | { readonly kind: "unreadable"; readonly why: string };

/**
 * Accepts a response only if it is complete: a documented status, valid JSON in UTF-8 and the documented
 * fields. Anything else counts as no response, and a write is then retried with the same key.
 */
export function readAnswer(row: OperationRow, answer: WireAnswer, bytes: ArrayBuffer): ReadAnswer {
  const { status, headers } = answer;
  const body = parse(bytes);
  const details: AnswerDetails = {
    status,
    requestId: headers.get("x-request-id") ?? "",
    isReplay: headers.get("idempotent-replayed") === "true",
    etag: headers.get("etag"),
    date: headers.get("date"),
  };
  if (row.undescribed && status >= 200 && status < 300) {
    if (bytes.byteLength === 0) return { kind: "success", body: undefined, details };
    return { kind: "success", body: body ?? new TextDecoder().decode(bytes), details };
  }
  const shape = row.answers[status];
  if (shape === undefined) return readRefusal(answer, body);
  const isFit = shape === null ? bytes.byteLength === 0 : fits(body, shape);
  if (!isFit) return { kind: "unreadable", why: `unexpected body in a ${status} response` };
  return { kind: "success", body: shape === null ? undefined : body, details };
}

function parse(bytes: ArrayBuffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

const typeLetters: Readonly<Record<string, (value: unknown) => boolean>> = {
  s: (value) => typeof value === "string",
  n: (value) => typeof value === "number",
  b: (value) => typeof value === "boolean",
  a: Array.isArray,
  o: isRecord,
};

/** `id:s status=QUEUED expiresAt` means: a string, exactly that word, and any value including null. */
function fits(body: unknown, shape: string): boolean {
  if (!isRecord(body)) return false;
  if (shape === "") return true;
  return shape.split(" ").every((field) => {
    const [name = "", letter] = field.split(":");
    const [wordName = "", word] = field.split("=");
    if (word !== undefined) return body[wordName] === word;
    if (letter === undefined) return name in body;
    return typeLetters[letter]?.(body[name]) === true;
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The service sends whole seconds only. */
export function retryAfterOf({ headers }: WireAnswer): number | undefined {
  const text = headers.get("retry-after") ?? "";
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function readRefusal(answer: WireAnswer, body: unknown): ReadAnswer {
  const { status } = answer;
  const error = isRecord(body) ? body["error"] : undefined;
  const why = `the ${status} response is not from the service`;
  if (status < 400 || !isRecord(error) || !fits(error, "code:s message:s requestId:s")) {
    return { kind: "unreadable", why };
  }
  const { code, message, requestId, fields } = error as {
    code: string;
    message: string;
    requestId: string;
    fields?: readonly FieldError[];
  };
  // Unknown codes may be newer than this client. A known code must have its own status.
  const known = (errorStatuses as Readonly<Record<string, number>>)[code];
  if (known !== undefined && known !== status) return { kind: "unreadable", why };
  return {
    kind: "refusal",
    refusal: {
      code,
      message,
      status,
      requestId,
      retryAfterSeconds: retryAfterOf(answer),
      fields: Array.isArray(fields) ? fields : [],
    },
  };
}
