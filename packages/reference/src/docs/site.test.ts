import assert from "node:assert/strict";
import { test } from "node:test";
import { errors, errorsOf, operations, type Operation } from "@ironlease/contract";
import { Type } from "typebox";
import { docsSite } from "./site.ts";

const hostile = `<script>alert("1")</script><img src=x onerror='alert(2)'>&copy;\`"' onclick="alert(3)`;

const specimens: Readonly<Record<string, Operation>> = {
  placeSpecimen: {
    listener: "account",
    tag: hostile,
    method: "PUT",
    path: "/api/v1/servers/{id}/specimens",
    summary: hostile,
    description: hostile,
    extension: true,
    access: { kind: "session", scopes: [] },
    idempotency: "replay",
    query: Type.Object({ [hostile]: Type.String({ examples: [hostile] }) }),
    body: Type.Object({
      [hostile]: Type.String({ description: hostile, message: hostile, examples: [hostile] }),
      either: Type.Union([Type.Number({ minimum: 1, maximum: 9 }), Type.String()]),
    }),
    answers: {
      200: Type.Object({ id: Type.String(), [hostile]: Type.Literal(hostile) }),
      202: null,
    },
    errors: ["insufficient_balance"],
  },
  findSpecimens: {
    listener: "account",
    tag: "Specimens",
    method: "GET",
    path: "/api/v1/specimens",
    summary: "Find specimens",
    extension: false,
    access: { kind: "session", scopes: ["read", "billing"] },
    idempotency: "none",
    answers: { 200: Type.Object({ serverIds: Type.Array(Type.String()) }) },
    errors: [],
  },
  deskSpecimen: {
    listener: "operator",
    tag: "Desk",
    method: "GET",
    path: "/operator/v1/specimens",
    summary: "Find the desk's specimens",
    extension: true,
    access: { kind: "operator", role: "support" },
    idempotency: "none",
    answers: { 200: Type.Object({}) },
    errors: [],
  },
};
const tableOf = (listener: Operation["listener"]) =>
  Object.entries<Operation>({ ...operations, ...specimens }).filter(
    ([, operation]) => operation.listener === listener,
  );
const siteOf = (listener: Operation["listener"]) =>
  docsSite("1.2.3", listener, Object.fromEntries(tableOf(listener)));
const pageFor = (origin: string, listener: Operation["listener"] = "account") =>
  siteOf(listener).page(origin);
const described = tableOf("account");
const { files } = siteOf("account");
const bodyAt = (path: string) => String(files.find((file) => file.path === path)?.body);
const html = pageFor("https://rent.example");
const sectionOf = (id: string) => {
  const from = html.indexOf(`<h3 id="operation-${id}"`);
  assert.notEqual(from, -1, id);
  return html.slice(from, html.indexOf("</section>", from));
};
/** Tags without the text between them. */
const tags = html.match(/<[a-z][^>]*>/g) ?? [];

test("every operation has a section with its method, path and error codes", () => {
  for (const [id, operation] of described) {
    const section = sectionOf(id);
    assert.ok(section.includes(`<code>${operation.path}</code>`), id);
    assert.ok(section.includes(`>${operation.method}</span>`), id);
    const missing = errorsOf(operation).filter((code) => !section.includes(`<code>${code}</code>`));
    assert.deepEqual(missing, [], id);
    assert.equal(section.includes(">Extension</a>"), operation.extension, id);
  }
  assert.ok(!html.includes("/operator/v1/"));
});

test("a section states the access: public, a session, or an API key with a scope", () => {
  assert.match(sectionOf("signIn"), /Public, no sign-in needed/);
  assert.match(sectionOf("signOut"), /A session, with its CSRF token/);
  const scopes = "API key with the scope <code>read</code> or <code>billing</code>";
  assert.ok(sectionOf("findSpecimens").includes(scopes));
});

test("the table at the end lists every code with its status and message", () => {
  const end = html.slice(html.indexOf('<h2 id="error-codes"'));
  for (const [code, { status, message }] of Object.entries(errors)) {
    const sentence = message.replaceAll("'", "&#39;");
    const row = `<code id="error-${code}">${code}</code></th><td role="cell">${status}</td><td role="cell">${sentence}</td>`;
    assert.ok(end.includes(row), code);
  }
});

test("text of the contract that looks like HTML stays text", () => {
  const names = new Set(tags.map((tag) => tag.match(/^<([a-z0-9]+)/)?.[1]));
  assert.equal(tags.filter((tag) => tag.startsWith("<script")).length, 2);
  assert.equal(tags.filter((tag) => tag.startsWith("<img")).length, 1);
  assert.ok(!names.has("style") && !names.has("iframe"));
  assert.ok(!html.includes("alert(2)'>") && !html.includes("&copy;"));
  assert.ok(sectionOf("placeSpecimen").includes("&lt;script&gt;alert(&quot;1&quot;)"));
});

test("the page satisfies its content security policy: no inline code and no other origins", () => {
  assert.doesNotMatch(html, /<style|<script(?![^>]* src=)|<script[^>]*>[^<]/);
  for (const tag of tags) {
    assert.doesNotMatch(tag.replaceAll(/"[^"]*"/g, '""'), /\s(?:style|on[a-z]+)=/, tag);
    const addresses = [...tag.matchAll(/\s(?:src|href|action|srcset)="([^"]*)"/g)];
    for (const [, address = ""] of addresses) assert.match(address, /^(?:#|\/(?!\/))/, tag);
  }
  assert.doesNotMatch(bodyAt("/docs/style.css"), /@import|url\(|https?:/);
  assert.doesNotMatch(bodyAt("/docs/script.js"), /\beval\b|innerHTML|fetch\(|import/);
});

test("every file that the page loads is served with its content type", () => {
  const asked = [...html.matchAll(/(?:src|href)="(\/docs\/[^"?]+)\?v=[0-9a-f]{12}"/g)];
  const types = Object.fromEntries(
    asked.map(([, path = ""]) => [path, files.find((file) => file.path === path)?.type]),
  );
  assert.deepEqual(types, {
    "/docs/icon.svg": "image/svg+xml; charset=utf-8",
    "/docs/style.css": "text/css; charset=utf-8",
    "/docs/script.js": "text/javascript; charset=utf-8",
    "/docs/theme.js": "text/javascript; charset=utf-8",
  });
});

test("every internal link has a target, and ids are unique", () => {
  const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
  assert.equal(new Set(ids).size, ids.length);
  const targets = [...html.matchAll(/href="#([^"]+)"/g)].map(([, target]) => target);
  assert.deepEqual(
    targets.filter((target) => !ids.includes(target)),
    [],
  );
});

test("there is one h1, and heading levels are never skipped", () => {
  const levels = [...html.matchAll(/<h([1-6])/g)].map(([, level]) => Number(level));
  assert.equal(levels.filter((level) => level === 1).length, 1);
  assert.equal(levels[0], 1);
  levels.reduce((above, level) => {
    assert.ok(level <= above + 1, `h${level} below h${above}`);
    return level;
  });
});

test("an example request has an id of the right kind, the headers and the body", () => {
  const section = sectionOf("placeSpecimen");
  assert.match(section, /https:\/\/rent\.example\/api\/v1\/servers\/srv_[0-9a-z]{26}\/specimens\?/);
  assert.match(section, /-X PUT/);
  assert.match(section, /idempotency-key: \$IDEMPOTENCY_KEY/);
  assert.match(section, /x-csrf-token: \$CSRF_TOKEN/);
  assert.match(section, /&quot;either&quot;: 1/);
  assert.match(sectionOf("findSpecimens"), /authorization: Bearer \$IRONLEASE_API_KEY/);
});

test("the examples call the origin of the request", () => {
  const page = pageFor("https://[::1]:9443");
  assert.ok(page.includes("curl &quot;https://[::1]:9443/api/health&quot;"));
  assert.doesNotMatch(page, /IRONLEASE_URL|\.invalid|localhost|…/);
});

test("an origin with shell metacharacters is not shown", () => {
  for (const origin of ['https://a"b', "https://$(id)", "https://a;b", "https://<b>", ""]) {
    const page = pageFor(origin);
    assert.ok(page.includes("curl &quot;https://localhost/api/health&quot;"), origin);
    assert.ok(origin === "" || !page.includes(origin), origin);
  }
});

test("the operator page shows operator operations only, with roles and the second factor", () => {
  const page = pageFor("https://desk.example", "operator");
  for (const [id, { path }] of tableOf("operator")) {
    assert.ok(page.includes(`id="operation-${id}"`) && page.includes(`<code>${path}</code>`), id);
  }
  assert.match(page, /<title>Ironlease operator API reference<\/title>/);
  assert.match(page, /href="\/operator\/openapi\.json"/);
  assert.match(page, /&quot;totp&quot;: &quot;\d{6}&quot;/);
  assert.match(page, /role <code>finance<\/code> or <code>admin<\/code>/);
  assert.doesNotMatch(page, /\/api\/|__Host-svc-session|class="badge"|Bearer/);
  const ids = new Set([...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id));
  const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, target]) => target);
  assert.deepEqual(
    targets.filter((target) => !ids.has(target)),
    [],
  );
});
