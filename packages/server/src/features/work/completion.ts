import { centsFromUsd, limits, quoteRule, type FieldError } from "@ironlease/contract";
import { readHostname } from "#kernel/server-hostname.ts";
import type { Completion, Item } from "#kernel/work-effects.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse, refuseField } from "#kernel/result.ts";
import type { WorkKind } from "#ports/schema.ts";

/** The fields that an operator sends with a completed item. The kind decides which are allowed. */
export interface CompletionInput {
  readonly hostname?: string | undefined;
  readonly transactionId?: string | undefined;
  readonly quoteUsd?: number | string | undefined;
  readonly note?: string | undefined;
  readonly unverified?: boolean | undefined;
}

/** The kind that accepts each field. Every kind accepts a note. */
const acceptedBy = {
  hostname: "PROVISION",
  transactionId: "WITHDRAWAL",
  unverified: "WITHDRAWAL",
  quoteUsd: "DDOS",
} as const satisfies Partial<Record<keyof CompletionInput, WorkKind>>;

/** Checks the fields against the kind. A field that the kind does not accept is an error, never ignored. */
export function readCompletion(item: Item, input: CompletionInput): Result<Completion> {
  const misplaced = misplacedFields(item, input);
  if (misplaced.length > 0) return refuse("validation_failed", { fields: misplaced });
  const hostname = input.hostname === undefined ? ok(undefined) : readHostname(input.hostname);
  if (!hostname.ok) return hostname;
  const quote = input.quoteUsd === undefined ? ok(undefined) : readQuote(input.quoteUsd);
  if (!quote.ok) return quote;
  const { transactionId, note } = input;
  const isUnverified = input.unverified === true;
  const quoteCents = quote.value;
  return ok({ hostname: hostname.value, transactionId, quoteCents, note, isUnverified });
}

/** A price per term. Bounded, so that a renewal of machine and protection always fits into the ledger. */
export function readQuote(usd: number | string): Result<number> {
  const cents = centsFromUsd(usd);
  return cents === undefined || cents < 0 || cents > limits.quoteCents
    ? refuseField("quoteUsd", quoteRule)
    : ok(cents);
}

function misplacedFields({ kind, ddosMode }: Item, input: CompletionInput): readonly FieldError[] {
  const fields: FieldError[] = [];
  for (const [field, requiredKind] of Object.entries(acceptedBy)) {
    if (input[field as keyof typeof acceptedBy] === undefined || requiredKind === kind) continue;
    fields.push({
      field,
      message: `must be omitted: it applies to ${requiredKind}, and this item is ${kind}`,
    });
  }
  if (kind === "DDOS" && ddosMode === "BASELINE" && input.quoteUsd !== undefined) {
    const message = "must be omitted: BASELINE is free and has no quote";
    fields.push({ field: "quoteUsd", message });
  }
  return fields;
}
