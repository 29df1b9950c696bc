import { cookieNames, roles, type Operation } from "@ironlease/contract";
import { samples } from "#samples.ts";
import { paragraph, type Chapter } from "./chapter.ts";
import { shellBlock } from "./code-blocks.ts";
import { code, joined, markup } from "./markup.ts";
import { operationAnchor } from "./operation-section.ts";
import { ownOrigin } from "./own-origin.ts";
import { table } from "./tables.ts";

export const operatorStart: Chapter = {
  anchor: "start",
  title: "Base URL",
  text: [
    paragraph(
      `Paths are relative to the base URL of the operator listener, \`${ownOrigin}\`. Bodies are JSON in`,
      "UTF-8. The prefix `/operator/v1` is the API version. Customer sessions and API keys do not work",
      "here.",
    ),
    paragraph(
      "If the service uses its own certificate authority, pass `tls/ca.pem` from the data folder to",
      "curl with `--cacert`.",
    ),
    markup`<p>Machine-readable version: <a href="/operator/openapi.json">OpenAPI 3.1</a>.</p>`,
  ],
  examples: shellBlock("Check the readiness", `curl "${ownOrigin}/readyz"`),
};

export const operatorSessions: Chapter = {
  anchor: "authentication",
  title: "Sessions and the second factor",
  text: [
    paragraph(
      "Signing in starts a session and sets two cookies:",
      `\`${cookieNames.operator.session}\` and \`${cookieNames.operator.csrf}\`. Send both with every request.`,
      "Every change also needs the `x-csrf-token` header with the `csrfToken` from the sign-in response.",
    ),
    paragraph(
      "Operators with a second factor also send `totp`: the current code of the authenticator app, or a",
      "recovery code. Without it the response is 403 `second_factor_required`. A wrong or used code",
      "returns 401 `invalid_credentials`.",
    ),
  ],
  examples: shellBlock(
    "Sign in with a second factor",
    [
      "CSRF_TOKEN=$(curl -s -c cookies.txt \\",
      `  "${ownOrigin}/operator/v1/auth/login" \\`,
      '  -H "content-type: application/json" \\',
      "  -d '{",
      '    "username": "alice",',
      '    "password": "a long pass phrase",',
      `    "totp": "${samples.totp}"`,
      "  }' | jq -r .csrfToken)",
      "",
      `curl -b cookies.txt "${ownOrigin}/operator/v1/me"`,
    ].join("\n"),
  ),
};

/** What each role adds to the one before it. */
export function roleChapter(described: Readonly<Record<string, Operation>>): Chapter {
  const rows = roles.map((role) => {
    const added = Object.entries(described).filter(
      ([, { access, method }]) =>
        access.kind === "operator" && access.role === role && method !== "GET",
    );
    const links = added.map(
      ([id, { summary }]) => markup`<a href="#${operationAnchor(id)}">${summary}</a>`,
    );
    return [code(role), joined(links, ", ")] as const;
  });
  return {
    anchor: "roles",
    title: "Roles",
    text: [
      paragraph(
        "Every operator can read everything. Each role can make its own changes and those of the roles",
        "above it in this table. Other changes return 403 `role_forbidden`. Withdrawals in the work",
        "queue need `finance`.",
      ),
      table("Roles", "terms", ["Role", "Additional changes"], rows),
    ],
  };
}

export const pages: Chapter = {
  anchor: "pages",
  title: "Pagination",
  text: paragraph(
    "Lists return 100 records per page. For the next page, send the last id as `after`. A page with",
    "fewer than 100 records is the last.",
  ),
};
