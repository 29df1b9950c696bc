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
  title: "Base address",
  text: [
    paragraph(
      `Every path is relative to the address of the operator listener, \`${ownOrigin}\`. Bodies are`,
      "JSON in UTF-8, and the interface is versioned by the prefix `/operator/v1`. Customers'",
      "sessions and API keys do not work here.",
    ),
    paragraph(
      "If the service signs its own certificate, give curl its authority, `tls/ca.pem` in the data",
      "folder, with `--cacert`.",
    ),
    markup`<p>The same interface for programs to read: <a href="/operator/openapi.json">OpenAPI 3.1</a>.</p>`,
  ],
  examples: shellBlock("Check that it is ready", `curl "${ownOrigin}/readyz"`),
};

export const operatorSessions: Chapter = {
  anchor: "authentication",
  title: "Sessions and the second factor",
  text: [
    paragraph(
      "Sign-in starts a session and sets two cookies that belong together:",
      `\`${cookieNames.operator.session}\` and \`${cookieNames.operator.csrf}\`. Send both with every request.`,
      "Every change also needs the header `x-csrf-token` with the `csrfToken` from the sign-in.",
    ),
    paragraph(
      "An operator with a second factor also sends `totp`: the current code of the authenticator",
      "app, or one of the recovery codes. Without it the answer is 403 `second_factor_required`; a",
      "wrong or used code is 401 `invalid_credentials`.",
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
        "Every operator reads everything. Each role may make the changes of the roles above it, and",
        "its own; outside one's role the answer is 403 `role_forbidden`. Withdrawals in the queue",
        "take `finance`.",
      ),
      table("Roles", "terms", ["Role", "Changes that it adds"], rows),
    ],
  };
}

export const pages: Chapter = {
  anchor: "pages",
  title: "Pages of a list",
  text: paragraph(
    "Lists give 100 records at a time. For the next page, send the last id of this one as `after`.",
    "A page of fewer than 100 records is the last.",
  ),
};
