import { centsFromUsd, type FieldError } from "@ironlease/contract";
import { ok, refuse, refuseField, type Result } from "#ports/result.ts";
import type { WorkKind } from "#ports/schema.ts";
import { readHostname } from "./server-hostname.ts";
import type { Item } from "./work-item.ts";

/** What an operator says when the work is done; the kind decides what of it there may be. */
export interface CompletionInput {
  readonly hostname?: string | undefined;
  readonly transactionId?: string | undefined;
  readonly quoteUsd?: number | string | undefined;
  readonly note?: string | undefined;
}

export interface Completion {
  readonly hostname: string | undefined;
  readonly transactionId: string | undefined;
  readonly quoteCents: number | undefined;
  readonly note: string | undefined;
}

/** Which kind takes each field. All take a note. */
const takenBy = {
  hostname: "PROVISION",
  transactionId: "WITHDRAWAL",
  quoteUsd: "DDOS",
} as const satisfies Partial<Record<keyof CompletionInput, WorkKind>>;

/** Checks the fields against the kind: what it does not take is an error and never ignored. */
export function readCompletion(item: Item, input: CompletionInput): Result<Completion> {
  const misplaced = misplacedFields(item, input);
  if (misplaced.length > 0) return refuse("validation_failed", { fields: misplaced });
  const hostname = input.hostname === undefined ? ok(undefined) : readHostname(input.hostname);
  if (!hostname.ok) return hostname;
  const quoteCents = input.quoteUsd === undefined ? undefined : centsFromUsd(input.quoteUsd);
  if (input.quoteUsd !== undefined && (quoteCents === undefined || quoteCents < 0)) {
    return refuseField("quoteUsd", "must be USD from 0 with at most two decimals");
  }
  const { transactionId, note } = input;
  return ok({ hostname: hostname.value, transactionId, quoteCents, note });
}

function misplacedFields({ kind, ddosMode }: Item, input: CompletionInput): readonly FieldError[] {
  const fields: FieldError[] = [];
  for (const [field, taker] of Object.entries(takenBy)) {
    if (input[field as keyof typeof takenBy] === undefined || taker === kind) continue;
    fields.push({
      field,
      message: `must be left out: only ${taker} takes it, and this is ${kind}`,
    });
  }
  if (kind === "DDOS" && ddosMode === "BASELINE" && input.quoteUsd !== undefined) {
    const message = "must be left out: BASELINE costs nothing, so nobody has quoted anything";
    fields.push({ field: "quoteUsd", message });
  }
  return fields;
}
