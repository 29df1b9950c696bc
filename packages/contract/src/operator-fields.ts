import { Type } from "typebox";
import { idPrefixes, type IdKind } from "./ids.ts";
import { limits } from "./limits.ts";
import type { Role } from "./operation.ts";

/** The common part of every operator operation. `role` is the lowest role that may call it. */
export const asOperator = <const R extends Role>(role: R) =>
  ({
    listener: "operator",
    extension: true,
    idempotency: "none",
    access: { kind: "operator", role },
  }) as const;

export const reason = Type.String({
  minLength: limits.reason.min,
  maxLength: limits.reason.max,
  description:
    "Recorded in the audit log. The customer sees it with the outcome of a request, and in the ledger if money moves.",
  message: `must be ${limits.reason.min} to ${limits.reason.max} characters`,
});

export const reasonBody = Type.Object({ reason }, { additionalProperties: false });

/** A reason that the customer sees while the freeze or suspension lasts. */
export const shownReasonBody = Type.Object(
  {
    reason: { ...reason, description: "Shown to the customer and recorded in the audit log." },
  },
  { additionalProperties: false },
);

export const afterId = (kind: IdKind) =>
  Type.Optional(
    Type.String({
      pattern: `^(?:${idPrefixes[kind]}_[0-9a-z]{26})?$`,
      examples: [`${idPrefixes[kind]}_01kfxq8n3ve7wt5c2m9hzr4d6y`],
      description: "The last id of the previous page. Omit it for the first page.",
      message: "must be the last id of the previous page",
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

export const minimumAge = (description: string) =>
  Type.Optional(
    Type.String({
      pattern: "^[0-9]{0,4}$",
      description,
      examples: ["24"],
      message: "must be a whole number of hours from 0 to 9999",
      describedAs: { type: "integer", minimum: 0, maximum: 9999 },
    }),
  );

/** Who should take care of something. */
export const assignee = Type.Unsafe<string | null>({
  type: ["string", "null"],
  maxLength: 64,
  description: "An operator's username, or null for no one.",
  examples: ["alice"],
  message: "must be an operator's username or null",
});
