import { idPrefixes, limits } from "@ironlease/contract";
import { errorSample } from "#samples.ts";
import { paragraph, type Chapter } from "./chapter.ts";
import { jsonBlock, shellBlock } from "./code-blocks.ts";

const { min: keyMin, max: keyMax } = limits.idempotencyKey;

export const idempotency: Chapter = {
  anchor: "idempotency",
  title: "Idempotency",
  text: [
    paragraph(
      "Changes that cost money or affect machines need an `Idempotency-Key` header:",
      `${keyMin} to ${keyMax} letters, digits, hyphens or underscores. Generate one key per intent and`,
      "store it. If a response does not arrive, check the account's records, then send the same request",
      "with the same key: it takes effect only once.",
    ),
    paragraph(
      "For a used key, an operation either returns the first response again, with",
      "`idempotent-replayed: true`, or returns `idempotency_conflict`. Each operation says which. The",
      "same key with a different request is always a conflict. A failed request does not consume its",
      "key: fix the cause and send it again. Keys never expire.",
    ),
  ],
  examples: shellBlock(
    "One key for one intent",
    ["IDEMPOTENCY_KEY=$(uuidgen)", "# After a timeout, retry with the same key."].join("\n"),
  ),
};

export const conventions: Chapter = {
  anchor: "conventions",
  title: "Conventions",
  text: [
    paragraph(
      "USD amounts are JSON numbers with at most two decimals, such as `125.5`. In a request, `usd` may",
      'also be a decimal string, such as `"25.50"`. A third decimal is rejected, not rounded.',
      "Amounts of cryptocurrency are decimal strings at full precision.",
    ),
    paragraph(
      "Times are ISO 8601 in UTC with milliseconds: `2026-11-15T09:30:00.000Z`. Ids are opaque and",
      `start with a prefix for their kind: \`${idPrefixes.server}_01kfxq8n3ve7wt5c2m9hzr4d6y\`.`,
      "Ids of other accounts and ids that do not exist both return `not_found`.",
    ),
    paragraph(
      'Unknown fields are rejected, and types are not converted: `"1"` is not a number. A request body has',
      `at most ${limits.bodyBytes / 1024} KiB. Responses may gain fields, so ignore those you do not`,
      "know. Do not cache responses.",
    ),
  ],
};

export const failures: Chapter = {
  anchor: "errors",
  title: "Errors",
  text: [
    paragraph(
      "All errors have the same shape. Handle them by `code`, which is stable; `message` is for people.",
      "`fields` lists the invalid fields, if any. Every response has an `x-request-id` header: quote",
      "it when you contact support.",
    ),
    paragraph(
      "An unknown path returns `not_found`. An unsupported method returns `method_not_allowed`, with the",
      "supported methods in the `allow` header. Every operation can return these codes:",
    ),
  ],
  examples: jsonBlock("400 validation_failed", errorSample("validation_failed")),
};

export const limitedAttempts: Chapter = {
  anchor: "rate-limits",
  title: "Rate limits",
  text: paragraph(
    "Authentication attempts are rate limited. Beyond a limit the response is 429 `rate_limited`, and",
    "the `retry-after` header has the number of seconds to wait. These are the default limits. IPv6",
    "clients are counted per /64 network.",
  ),
  examples: shellBlock(
    "Headers of a 429",
    [
      "retry-after: 840",
      'ratelimit: "signInPerAddressAndUsername";r=0;t=840',
      'ratelimit-policy: "signInPerAddressAndUsername";q=5;w=900',
    ].join("\n"),
  ),
};

export const extensions: Chapter = {
  anchor: "extensions",
  title: "Extensions",
  text: paragraph(
    "Ironlease implements a specification for hosting account APIs. Operations marked as extensions",
    "are additions of Ironlease. They are just as stable, but other services that implement the",
    "specification may not have them.",
  ),
};
