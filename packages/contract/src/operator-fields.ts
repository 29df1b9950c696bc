import { Type } from "typebox";
import { idPrefixes, type IdKind } from "./ids.ts";
import { limits } from "./limits.ts";
import type { Role } from "./operation.ts";

/** What every operation of the desk has in common; `role` is the least that may call it. */
export const asOperator = <const R extends Role>(role: R) =>
  ({
    listener: "operator",
    extension: true,
    idempotency: "none",
    access: { kind: "operator", role },
  }) as const;

/** Why somebody did something to a customer: it is kept in the audit. */
export const reason = Type.String({
  ...{ minLength: limits.reason.min, maxLength: limits.reason.max },
  description: "Why. It is kept, and where money moves the customer reads it in the ledger.",
  message: `must be ${limits.reason.min} to ${limits.reason.max} characters`,
});

export const reasonBody = Type.Object({ reason }, { additionalProperties: false });

/** A reason that the customer reads for as long as it holds. */
export const shownReasonBody = Type.Object(
  {
    reason: { ...reason, description: "Why. The customer reads it; it is kept in the audit too." },
  },
  { additionalProperties: false },
);

/** Where a page begins: after the last identifier of the page before. */
export const afterId = (kind: IdKind) =>
  Type.Optional(
    Type.String({
      pattern: `^(?:${idPrefixes[kind]}_[0-9a-z]{26})?$`,
      examples: [`${idPrefixes[kind]}_01kfxq8n3ve7wt5c2m9hzr4d6y`],
      description: "The last identifier of the page before. Without it: the first page.",
      message: "must be the identifier that the page before ended with",
    }),
  );

export const search = (description: string, example: string) =>
  Type.Optional(
    Type.String({
      maxLength: limits.searchLength,
      description,
      examples: [example],
      message: `must be at most ${limits.searchLength} characters`,
    }),
  );
