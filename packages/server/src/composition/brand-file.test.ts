import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { ConfigError } from "#config.ts";
import { consolePages } from "#http/console-pages.ts";
import { brandPages } from "#http/brand-pages.ts";
import { docsPages } from "#http/docs-pages.ts";
import { accentColours, contrastWithWhite } from "./accent-colours.ts";
import { brandOf } from "./brand-file.ts";

const folder = mkdtempSync(join(tmpdir(), "ironlease-brand-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, "brand.json");
const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8"/></svg>`;
writeFileSync(join(folder, "logo.svg"), svg);
writeFileSync(join(folder, "logo.gif"), "GIF89a");
writeFileSync(join(folder, "large.svg"), svg.padEnd(100_001));

const right = {
  name: "Acme <Metal>",
  logo: "logo.svg",
  accentColour: "#1D5A9E",
  support: "Write to help@acme.example.",
  termsUrl: "https://acme.example/terms",
  privacyUrl: "https://acme.example/privacy",
};

function problemsOf(document: object): readonly string[] {
  writeFileSync(file, JSON.stringify(document, undefined, 2));
  try {
    brandOf({ brand: file });
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.problems.map((problem) => problem.replace(`${file}:`, ""));
  }
  return [];
}

describe("the brand file", () => {
  test("is optional, and only the name is required in it", () => {
    assert.equal(brandOf({ brand: undefined }).name, "Ironlease");
    assert.deepEqual(problemsOf({ name: "Acme" }), []);
    assert.deepEqual(problemsOf(right), []);
  });

  for (const [what, change, problem] of [
    ["no name", { name: "" }, /^2: name must have 1 to 40 characters/],
    ["an unknown field", { font: "Arial" }, /^8: font /],
    [
      "an address without TLS",
      { termsUrl: "http://acme.example" },
      /^6: termsUrl must be an https/,
    ],
    ["a missing logo", { logo: "none.svg" }, /^3: logo cannot be read \(ENOENT\)/],
    ["a logo of another format", { logo: "logo.gif" }, /^3: logo must be an SVG or PNG file/],
    ["a large logo", { logo: "large.svg" }, /^3: logo must have at most 100 kB/],
    [
      "a colour on which white text is not readable",
      { accentColour: "#ffcc00" },
      /^4: accentColour is too light for white text: the contrast is 1\.5, and 4\.5 is the least/,
    ],
  ] as const) {
    test(`with ${what} is refused, with the line`, () => {
      const problems = problemsOf({ ...right, ...change });
      assert.equal(problems.length, 1, problems.join());
      assert.match(problems[0] ?? "", problem);
    });
  }

  test("a colour too dark for the dark theme is lightened there, and stays readable", () => {
    for (const colour of ["#000000", "#000080", "#400010", "#1d5a9e", "#a63c12"]) {
      const { light, dark } = accentColours(colour) ?? assert.fail();
      assert.equal(light, colour);
      assert.ok(contrastWithWhite(dark) >= 4.5, `${colour} became ${dark}`);
      // The dark surface has a contrast of 17.5 with white.
      assert.ok(17.5 / contrastWithWhite(dark) >= 2.95, `${colour} became ${dark}`);
    }
  });

  test("reaches the console's HTML, the reference and the served files", async () => {
    problemsOf(right);
    const brand = brandOf({ brand: file });
    writeFileSync(
      join(folder, "site.json"),
      JSON.stringify({ account: { html: "a.html", paths: ["/"], files: [] } }),
    );
    writeFileSync(
      join(folder, "a.html"),
      `<head><title>Ironlease</title><link rel="icon" href="/assets/icon.svg" /></head>`,
    );
    const [page] = consolePages(folder, "account", brand);
    const html = String(page?.body);
    assert.match(html, /<title>Acme &lt;Metal><\/title>/);
    assert.match(html, /<link rel="icon" href="\/brand\/logo\?v=[0-9a-f]{12}" \/>/);
    assert.match(html, /<link rel="stylesheet" href="\/brand\/style\.css\?v=[0-9a-f]{12}" \/>/);
    assert.match(html, /<meta name="brand" content="[^"]*help@acme\.example/);
    const files = brandPages(brand);
    assert.deepEqual(
      files.map(({ path, headers }) => [path, headers["content-type"]]),
      [
        ["/brand/style.css", "text/css; charset=utf-8"],
        ["/brand/logo", "image/svg+xml"],
      ],
    );
    assert.match(String(files[0]?.body), /--color-action: light-dark\(#1d5a9e, #[0-9a-f]{6}\)/);
    const [docs] = docsPages("1.0.0", "account", {}, brand);
    assert.ok(docs !== undefined && "answer" in docs);
    const answer = await docs.answer("https://rent.example");
    assert.match(
      answer.ok ? String(answer.value.body) : "",
      /<h1 id="introduction">Acme &lt;Metal&gt; API/,
    );
  });
});
