import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { consoleFonts, consolePages } from "./console-pages.ts";
import { encodingFor } from "./pages.ts";

describe("the console's files", () => {
  const folder = mkdtempSync(join(tmpdir(), "ironlease-console-"));
  after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "assets"));
  const site = {
    account: {
      html: "account.html",
      paths: ["/", "/servers/{id}"],
      preloads: { "/servers/{id}": ["assets/a-1.js"] },
      files: ["assets/a-1.js"],
    },
    desk: { html: "desk.html", paths: ["/"], files: [] },
    fonts: "assets/fonts-1.css",
  };
  writeFileSync(join(folder, "site.json"), JSON.stringify(site));
  writeFileSync(join(folder, "account.html"), "<head></head><p>account</p>");
  writeFileSync(join(folder, "desk.html"), "<p>desk</p>");
  writeFileSync(join(folder, "assets/a-1.js"), "plain");
  writeFileSync(join(folder, "assets/a-1.js.br"), "br");
  writeFileSync(join(folder, "assets/a-1.js.gz"), "gz");
  const pages = consolePages(folder, "account");
  const at = (path: string) => pages.find((page) => page.path === path);

  test("the HTML answers at the paths that the build lists, and at no others", () => {
    assert.deepEqual(
      pages.map(({ path }) => path),
      ["/", "/servers/{id}", "/assets/a-1.js"],
    );
    assert.equal(String(at("/")?.body), "<head></head><p>account</p>");
  });

  test("the HTML of a page loads that page's code together with the app", () => {
    assert.equal(
      String(at("/servers/{id}")?.body),
      '<head><link rel="modulepreload" crossorigin href="/assets/a-1.js"></head><p>account</p>',
    );
  });

  test("the HTML allows no inline script or style and submits nothing", () => {
    const policy = at("/")?.headers["content-security-policy"] ?? "";
    assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self';/);
    assert.match(policy, /form-action 'none'/);
    assert.doesNotMatch(policy, /unsafe|data:|https?:/);
    assert.equal(at("/")?.headers["cache-control"], undefined);
  });

  test("files with a hash in their name are cached as immutable", () => {
    const headers = at("/assets/a-1.js")?.headers;
    assert.equal(headers?.["cache-control"], "public, max-age=31536000, immutable");
  });

  test("the API reference finds the fonts of the build", () => {
    assert.equal(consoleFonts(folder), "/assets/fonts-1.css");
    assert.equal(consoleFonts(join(folder, "nowhere")), undefined);
  });

  test("each entry's listener serves nothing of the other's", () => {
    assert.deepEqual(
      consolePages(folder, "desk").map(({ path, body }) => [path, String(body)]),
      [["/", "<p>desk</p>"]],
    );
  });

  test("the best content coding in Accept-Encoding is chosen, or none", () => {
    const page = at("/assets/a-1.js")!;
    const codingFor = (accept?: string) => encodingFor(page, accept)?.coding;
    assert.equal(codingFor("gzip, deflate, br, zstd"), "br");
    assert.equal(codingFor("gzip;q=0.5, br;q=0"), "gzip");
    assert.equal(codingFor("identity"), undefined);
    assert.equal(codingFor(), undefined);
    assert.equal(encodingFor(at("/")!, "br"), undefined);
  });

  test("settings for the page are in its head, escaped", () => {
    writeFileSync(join(folder, "desk.html"), "<head><title>desk</title></head>");
    const explorers = { BTC: `https://a.example/?q={transactionId}&l="<'$&` };
    const [page] = consolePages(folder, "desk", undefined, { explorers });
    assert.equal(
      String(page?.body),
      `<head><title>desk</title><meta name="explorers" content="{&quot;BTC&quot;:&quot;https://a.example/?q={transactionId}&amp;l=\\&quot;&lt;'$&amp;&quot;}" /></head>`,
    );
    writeFileSync(join(folder, "desk.html"), "<p>desk</p>");
  });

  test("without a build, the page at / explains how to build the console", () => {
    const [page, ...rest] = consolePages(join(folder, "nowhere"), "account");
    assert.equal(page?.path, "/");
    assert.match(String(page?.body), /npm run build/);
    assert.deepEqual(rest, []);
  });
});
