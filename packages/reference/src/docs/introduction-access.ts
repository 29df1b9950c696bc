import { cookieNames, limits } from "@ironlease/contract";
import { samples } from "#samples.ts";
import { paragraph, type Chapter } from "./chapter.ts";
import { shellBlock } from "./code-blocks.ts";
import { markup } from "./markup.ts";
import { ownOrigin } from "./own-origin.ts";

export const start: Chapter = {
  anchor: "start",
  title: "Base URL",
  text: [
    paragraph(
      `Paths are relative to the base URL of this service, \`${ownOrigin}\`. Bodies are JSON in UTF-8.`,
      "The prefix `/api/v1` is the API version.",
    ),
    paragraph(
      "A preview uses a self-signed certificate authority. Pass `tls/ca.pem` from the data folder to",
      "curl with `--cacert`.",
    ),
    markup`<p>Machine-readable version: <a href="/api/openapi.json">OpenAPI 3.1</a>.</p>`,
  ],
  examples: shellBlock("Check the health", `curl "${ownOrigin}/api/health"`),
};

export const sessions: Chapter = {
  anchor: "authentication",
  title: "Sessions and CSRF",
  text: [
    paragraph(
      "Signing in starts a session and sets two cookies:",
      `\`${cookieNames.account.session}\` and \`${cookieNames.account.csrf}\`. Send both with every request.`,
      "Cookies from two different sign-ins return `session_invalid`.",
    ),
    paragraph(
      "Every change also needs the `x-csrf-token` header with the `csrfToken` from the sign-in",
      "response. `GET /api/v1/me` returns it again. Without it, changes return `csrf_failed`.",
    ),
    paragraph(
      "Sessions have an idle timeout and an absolute timeout. `expiresAt` in the list of sessions is the",
      `earlier one. An account can have up to ${limits.sessionsPerAccount} sessions; a new one replaces the oldest.`,
      "Requests from pages of another site return `origin_rejected`.",
    ),
  ],
  examples: shellBlock(
    "Sign in and keep the token",
    [
      "CSRF_TOKEN=$(curl -s -c cookies.txt \\",
      `  "${ownOrigin}/api/v1/auth/login" \\`,
      '  -H "content-type: application/json" \\',
      "  -d '{",
      '    "username": "ada",',
      '    "password": "a long pass phrase"',
      "  }' | jq -r .csrfToken)",
      "",
      `curl -b cookies.txt "${ownOrigin}/api/v1/me"`,
    ].join("\n"),
  ),
};

export const keys: Chapter = {
  anchor: "keys",
  title: "API keys",
  text: [
    paragraph(
      "API keys give programs read access. Send a key as `Authorization: Bearer`. Each key has one",
      "scope, and each operation lists the scopes that it accepts.",
    ),
    paragraph(
      "Keys are read-only: a change with a key returns `api_key_forbidden`, even if the request also has",
      "valid session cookies. An unknown, revoked or expired key returns `authentication_required`.",
      "A key with the wrong scope returns `insufficient_scope`.",
    ),
  ],
  examples: shellBlock(
    "Read with a key",
    [
      `export IRONLEASE_API_KEY=${samples.key}`,
      'curl -H "authorization: Bearer $IRONLEASE_API_KEY" \\',
      `  "${ownOrigin}/api/v1/servers"`,
    ].join("\n"),
  ),
};
