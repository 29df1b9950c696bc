import type { OperationRow } from "./api.ts";
import type { FieldError, Refusal } from "./errors.ts";
import { errorStatuses } from "./generated/errors.ts";
import type { WireAnswer } from "./wire.ts";

/** What an answer says besides its body. */
export interface AnswerDetails {
  readonly status: number;
  /** Names the request in the service's log. */
  readonly requestId: string;
  /** Whether this is the answer to an earlier copy of the request. */
  readonly isReplay: boolean;
  readonly etag: string | null;
  /** When the service says that it answered. */
  readonly date: string | null;
}

export type ReadAnswer =
  | { readonly kind: "success"; readonly body: unknown; readonly details: AnswerDetails }
  | { readonly kind: "refusal"; readonly refusal: Refusal }
  | { readonly kind: "unreadable"; readonly why: string };

/**
 * Takes an answer for what it says only when all of it makes sense: a described status, whole JSON in
 * whole UTF-8, the described fields. Anything else is no answer, and for a write that means asking
 * again with the same key instead of believing half a sentence.
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
  if (!isFit) return { kind: "unreadable", why: `an answer ${status} that is not as described` };
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

/** `id:s status=QUEUED expiresAt`: a string, that very word, and something, null included. */
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

/** Whole seconds, which is the only form that the service uses. */
export function retryAfterOf({ headers }: WireAnswer): number | undefined {
  const text = headers.get("retry-after") ?? "";
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function readRefusal(answer: WireAnswer, body: unknown): ReadAnswer {
  const { status } = answer;
  const error = isRecord(body) ? body["error"] : undefined;
  const why = `an answer ${status} that is none of the service's`;
  if (status < 400 || !isRecord(error) || !fits(error, "code:s message:s requestId:s")) {
    return { kind: "unreadable", why };
  }
  const { code, message, requestId, fields } = error as {
    code: string;
    message: string;
    requestId: string;
    fields?: readonly FieldError[];
  };
  // A code that is newer than this client is taken as it is; a known one has its one status.
  const known = (errorStatuses as Readonly<Record<string, number>>)[code];
  if (known !== undefined && known !== status) return { kind: "unreadable", why };
  return {
    kind: "refusal",
    refusal: {
      ...{ code, message, status, requestId, retryAfterSeconds: retryAfterOf(answer) },
      fields: Array.isArray(fields) ? fields : [],
    },
  };
}
