import { cookieNames, limits } from "@ironlease/contract";
import { samples } from "#samples.ts";
import { paragraph, type Chapter } from "./chapter.ts";
import { shellBlock } from "./code-blocks.ts";
import { markup } from "./markup.ts";
import { ownOrigin } from "./own-origin.ts";

export const start: Chapter = {
  anchor: "start",
  title: "Base address",
  text: [
    paragraph(
      `Every path is relative to the address of this service, \`${ownOrigin}\`. Bodies are JSON in`,
      "UTF-8, and the interface is versioned by the prefix `/api/v1`.",
    ),
    paragraph(
      "A preview signs its own certificate. Give curl its authority, `tls/ca.pem` in the data",
      "folder, with `--cacert`.",
    ),
    markup`<p>The same interface for programs to read: <a href="/api/openapi.json">OpenAPI 3.1</a>.</p>`,
  ],
  examples: shellBlock("Check that it answers", `curl "${ownOrigin}/api/health"`),
};

export const sessions: Chapter = {
  anchor: "authentication",
  title: "Sessions and CSRF",
  text: [
    paragraph(
      "Signing in starts a session and sets two cookies that belong together:",
      `\`${cookieNames.account.session}\` and \`${cookieNames.account.csrf}\`. Send both with every request.`,
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
      "A key lets a program read. Send it as `Authorization: Bearer`. Each key has one scope, and",
      "each operation names the scopes that it takes.",
    ),
    paragraph(
      "Keys never change anything: a change with a key is `api_key_forbidden`, also when the",
      "cookies of a good session come with it. A key that is unknown, revoked or past its end is",
      "`authentication_required`; one whose scope does not reach is `insufficient_scope`.",
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
