import { errors, idPrefixes, limits, type ErrorCode, type Operation } from "@ironlease/contract";
import { accountCookies } from "../cookies.ts";
import { jsonBlock, shellBlock } from "./code-blocks.ts";
import { rateLimitTable, scopeTable } from "./introduction-tables.ts";
import { markup, prose, type Content, type Markup } from "./markup.ts";
import { errorTable } from "./tables.ts";

export interface Chapter {
  readonly anchor: string;
  readonly title: string;
  readonly text: Content;
  readonly examples?: Content;
}

/** What holds for all operations. `everywhere` are the codes that each of them can answer. */
export function introduction(
  described: Readonly<Record<string, Operation>>,
  everywhere: ReadonlySet<ErrorCode>,
): readonly Chapter[] {
  return [
    start,
    sessions,
    { ...keys, text: [keys.text, scopeTable(described)] },
    idempotency,
    conventions,
    { ...failures, text: [failures.text, errorTable("Errors everywhere", [...everywhere])] },
    { ...rateLimits, text: [rateLimits.text, rateLimitTable()] },
    extensions,
  ];
}

/** Lines of source that are one paragraph; words between backticks are code. */
function paragraph(...lines: readonly string[]): Markup {
  return markup`<p>${prose(lines.join(" "))}</p>\n`;
}

const start: Chapter = {
  anchor: "start",
  title: "Base address",
  text: [
    paragraph(
      "Every path is relative to the address that this page came from. The examples call it",
      "`$IRONLEASE_URL`: set that once, and they run as they are. Only HTTPS is spoken, bodies are",
      "JSON in UTF-8, and the interface is versioned by the prefix `/api/v1`.",
    ),
    paragraph(
      "A preview signs its own certificate. Give curl the authority's file that the start printed,",
      "with `--cacert`.",
    ),
    markup`<p>The same interface for programs to read: <a href="/api/openapi.json">OpenAPI 3.1</a>.</p>`,
  ],
  examples: [
    shellBlock("Set the address", "export IRONLEASE_URL=https://localhost:8443"),
    shellBlock("Is it there?", 'curl "$IRONLEASE_URL/api/health"'),
  ],
};

const sessions: Chapter = {
  anchor: "authentication",
  title: "Sessions and CSRF",
  text: [
    paragraph(
      "Signing in starts a session and sets two cookies that belong together:",
      `\`${accountCookies.session}\` and \`${accountCookies.csrf}\`. Send both with every request.`,
      "A cookie of one sign-in next to one of another is `session_invalid`.",
    ),
    paragraph(
      "Every change also needs the header `x-csrf-token` with the `csrfToken` that the sign-in",
      "answered with; `GET /api/v1/me` gives it again. Without it a change is `csrf_failed`.",
    ),
    paragraph(
      "A session ends when it is not used for a while, and after a time in all: `expiresAt` in the",
      `list of sessions says when. An account has at most ${limits.sessionsPerAccount}; the oldest`,
      "goes first. A browser on another site is refused with `origin_rejected`.",
    ),
  ],
  examples: shellBlock(
    "Sign in and keep the token",
    [
      "CSRF_TOKEN=$(curl -s -c cookies.txt \\",
      '  "$IRONLEASE_URL/api/v1/auth/login" \\',
      '  -H "content-type: application/json" \\',
      "  -d '{",
      '    "username": "ada",',
      '    "password": "a long pass phrase"',
      "  }' | jq -r .csrfToken)",
      "",
      'curl -b cookies.txt "$IRONLEASE_URL/api/v1/me"',
    ].join("\n"),
  ),
};

const keys: Chapter = {
  anchor: "keys",
  title: "API keys",
  text: [
    paragraph(
      "A key lets a program read. Send it as `Authorization: Bearer`. Each key has one scope, and",
      "each operation names the scopes that it takes.",
    ),
    paragraph(
      "Keys never change anything: a change with a key is `api_key_forbidden`, also when the",
      "cookies of a good session come with it. A key that is unknown, revoked or past its end is",
      "`authentication_required`; one whose scope does not reach is `insufficient_scope`.",
    ),
  ],
  examples: shellBlock("Read with a key", [
    "export IRONLEASE_API_KEY=svk_4fTq…",
    'curl -H "authorization: Bearer $IRONLEASE_API_KEY" \\',
    '  "$IRONLEASE_URL/api/v1/servers"',
  ].join("\n")),
};

const { min: keyMin, max: keyMax } = limits.idempotencyKey;

const idempotency: Chapter = {
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
      "An answer that is given again carries `idempotent-replayed: true`. The same key with another",
      "request is `idempotency_conflict`. A refused request uses no key up: mend the cause and send",
      "it again. Keys never expire.",
    ),
  ],
  examples: shellBlock("One key for one intent", [
    "IDEMPOTENCY_KEY=$(uuidgen)",
    "# After a timeout: the same request, the same key.",
  ].join("\n")),
};

const conventions: Chapter = {
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
      `opaque and start with their kind, as in \`${idPrefixes.server}_…\` and`,
      `\`${idPrefixes.order}_…\`. Another account's identifier is \`not_found\`, like one that does not exist.`,
    ),
    paragraph(
      "A field that an operation does not name is an error, and nothing is converted: `\"1\"` is no",
      `number. A body has at most ${limits.bodyBytes / 1024} KiB. Answers may gain fields, so let`,
      "your reader pass over those that it does not know. No answer may be cached.",
    ),
  ],
};

const failures: Chapter = {
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
  examples: jsonBlock("400 validation_failed", {
    error: {
      code: "validation_failed",
      message: errors.validation_failed.message,
      requestId: "req_7f3k…",
      fields: [{ field: "quantity", message: "must be a whole number from 1 to 20" }],
    },
  }),
};

const rateLimits: Chapter = {
  anchor: "rate-limits",
  title: "Rate limits",
  text: paragraph(
    "Attempts to get in are limited. Past a limit the answer is 429 `rate_limited`, and",
    "`retry-after` says how many seconds to wait. These are the limits unless the operator has",
    "set others; an IPv6 client counts by its /64 network.",
  ),
  examples: shellBlock("Headers of a 429", [
    "retry-after: 840",
    'ratelimit: "signInPerAddressAndUsername";r=0;t=840',
    'ratelimit-policy: "signInPerAddressAndUsername";q=5;w=900',
  ].join("\n")),
};

const extensions: Chapter = {
  anchor: "extensions",
  title: "Extensions",
  text: paragraph(
    "Ironlease implements a specification of hosting account interfaces. An operation that is",
    "marked as an extension is an addition of Ironlease: it is kept as carefully as the others, but",
    "another service under the same specification may not have it.",
  ),
};
