import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The links of a page that point to nothing, as `page: link`. */
function brokenLinks(page: string): readonly string[] {
  const text = withoutCode(readFileSync(join(root, page), "utf8"));
  return Array.from(
    text.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g),
    ([, link, image = ""]) => link ?? image,
  )
    .filter((link) => !/^[a-z]+:/.test(link) && !resolves(page, link))
    .map((link) => `${page}: ${link}`);
}

function resolves(page: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? join(root, page) : join(root, dirname(page), path);
  if (!existsSync(target)) return false;
  if (anchor === undefined || !target.endsWith(".md")) return true;
  return anchorsOf(readFileSync(target, "utf8")).includes(anchor);
}

/** The anchors that GitHub makes of a page's headings. */
function anchorsOf(text: string): readonly string[] {
  return Array.from(withoutCode(text).matchAll(/^#+ (.+)$/gm), ([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

function withoutCode(text: string): string {
  return text.replaceAll(/^```.*?^```$/gms, "");
}

test("every relative link in a Markdown page leads to a file and a heading that exist", () => {
  const pages = globSync("**/*.md", {
    cwd: root,
    exclude: (name) => name.split("/").some((part) => ["node_modules", "dist"].includes(part)),
  });
  assert.ok(pages.includes("README.md") && pages.includes("docs/proof/README.md"));
  assert.deepEqual(pages.flatMap(brokenLinks), []);
});
