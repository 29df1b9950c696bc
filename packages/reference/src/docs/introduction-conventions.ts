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
      "Changes that cost money or move machines need an `Idempotency-Key`:",
      `${keyMin} to ${keyMax} letters, digits, hyphens or underscores. Make one for each intent and`,
      "keep it. When an answer does not arrive, look at the account's records and send the same",
      "request with the same key: it takes effect once, however often it is sent.",
    ),
    paragraph(
      "To a key that was used, an operation either gives its first answer again, with",
      "`idempotent-replayed: true`, or refuses it with `idempotency_conflict`: each says which. The",
      "same key with another request is always a conflict. A refused request uses no key up: mend",
      "the cause and send it again. Keys never expire.",
    ),
  ],
  examples: shellBlock(
    "One key for one intent",
    ["IDEMPOTENCY_KEY=$(uuidgen)", "# After a timeout: the same request, the same key."].join("\n"),
  ),
};

export const conventions: Chapter = {
  anchor: "conventions",
  title: "Money, time and names",
  text: [
    paragraph(
      "USD are JSON numbers with at most two decimals, such as `125.5`. In a request, `usd` may also",
      'be a plain decimal string, such as `"25.50"`; a third decimal is refused, never rounded.',
      "Amounts of cryptocurrency are decimal strings at the asset's full precision.",
    ),
    paragraph(
      "Times are ISO 8601 in UTC with milliseconds: `2026-11-15T09:30:00.000Z`. Identifiers are",
      `opaque and start with their kind, as in \`${idPrefixes.server}_01kfxq8n3ve7wt5c2m9hzr4d6y\`.`,
      "Another account's identifier is `not_found`, like one that does not exist.",
    ),
    paragraph(
      'A field that an operation does not name is an error, and nothing is converted: `"1"` is no',
      `number. A body has at most ${limits.bodyBytes / 1024} KiB. Answers may gain fields, so let`,
      "your reader pass over those that it does not know. No answer may be cached.",
    ),
  ],
};

export const failures: Chapter = {
  anchor: "errors",
  title: "Errors",
  text: [
    paragraph(
      "Every error has this one shape. Decide by `code`, which does not change; `message` is for",
      "people. `fields` is there where fields are at fault, and names each of them. Every answer",
      "carries `x-request-id`: quote it when you report a problem.",
    ),
    paragraph(
      "An unknown path is `not_found`, and a method that a path does not take is",
      "`method_not_allowed`, with those that it takes in `allow`. These codes can come from every",
      "operation:",
    ),
  ],
  examples: jsonBlock("400 validation_failed", errorSample("validation_failed")),
};

export const limitedAttempts: Chapter = {
  anchor: "rate-limits",
  title: "Rate limits",
  text: paragraph(
    "Attempts to get in are limited. Past a limit the answer is 429 `rate_limited`, and",
    "`retry-after` says how many seconds to wait. These are the limits unless the operator has",
    "set others; an IPv6 client counts by its /64 network.",
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
    "Ironlease implements a specification of hosting account interfaces. An operation that is",
    "marked as an extension is an addition of Ironlease: it is kept as carefully as the others, but",
    "another service under the same specification may not have it.",
  ),
};
