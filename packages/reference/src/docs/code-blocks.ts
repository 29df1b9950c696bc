import { isChange, type Operation } from "@ironlease/contract";
import type { TObject } from "typebox";
import { markup, type Content, type Markup } from "./markup.ts";
import { sampleOf, samplePath } from "#samples.ts";
import { ownOrigin } from "./own-origin.ts";

/** Uses the shell variables that the introduction sets. */
export function curlCommand(operation: Operation): string {
  const { method, path, access, body } = operation;
  const query = operation.query === undefined ? "" : `?${sampleQuery(operation.query)}`;
  const options = [
    ...methodOption(operation),
    ...accessOptions(operation),
    ...(operation.idempotency === "none" ? [] : ['-H "idempotency-key: $IDEMPOTENCY_KEY"']),
    ...(isChange(operation) && access.kind !== "public" ? ['-H "x-csrf-token: $CSRF_TOKEN"'] : []),
    ...(body === undefined ? [] : ['-H "content-type: application/json"']),
    ...(body === undefined ? [] : [`-d ${shellQuoted(sampleBody(body))}`]),
  ];
  const address = `"${ownOrigin}${samplePath(path)}${query}"`;
  const isShort = options.length === 0 || (options.length === 1 && method === "GET");
  return isShort
    ? ["curl", ...options, address].join(" ")
    : [`curl ${address}`, ...options].join(" \\\n  ");
}

/** curl defaults to GET, or to POST with a body. */
function methodOption({ method, body }: Operation): readonly string[] {
  const isImplied = method === "GET" || (method === "POST" && body !== undefined);
  return isImplied ? [] : [`-X ${method}`];
}

function accessOptions({ access, cookies }: Operation): readonly string[] {
  if (access.kind === "session" && access.scopes.length > 0) {
    return ['-H "authorization: Bearer $IRONLEASE_API_KEY"'];
  }
  const sent = access.kind === "public" ? [] : ["-b cookies.txt"];
  const kept = cookies === undefined ? [] : ["-c cookies.txt"];
  return [...sent, ...kept];
}

function sampleQuery(query: TObject): string {
  const sample = sampleOf(query) as Record<string, unknown>;
  return new URLSearchParams(
    Object.entries(sample).map(([name, value]) => [name, String(value)]),
  ).toString();
}

function sampleBody(body: TObject): string {
  return JSON.stringify(sampleOf(body), null, 2).replaceAll("\n", "\n  ");
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

export function shellBlock(title: string, command: string): Markup {
  return block(title, command);
}

export function jsonBlock(title: string, value: unknown): Markup {
  const text = JSON.stringify(value, null, 2);
  const tokens = text.split(/("(?:[^"\\]|\\.)*"(?:: )?)/);
  return block(title, tokens.map(jsonToken));
}

function jsonToken(token: string): Content {
  if (!token.startsWith('"')) return token;
  const kind = token.endsWith(": ") ? "key" : "text";
  return markup`<span class="${kind}">${token}</span>`;
}

/** `tabindex` lets keyboard users scroll the code. */
function block(title: string, text: Content): Markup {
  return markup`<figure class="code">
<figcaption>${title}</figcaption>
<pre tabindex="0"><code>${text}</code></pre>
</figure>`;
}
