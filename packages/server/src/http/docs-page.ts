import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { operations, type Operation } from "@ironlease/contract";
import { referencePage } from "./docs/page.ts";
import type { Page } from "./pages.ts";
import { pagePolicy } from "./security-headers.ts";

/** The stylesheet, in the order in which later rules overrule earlier ones. */
const styles = [
  new URL("./docs/style/page.css", import.meta.url),
  new URL("./docs/style/contents.css", import.meta.url),
  new URL("./docs/style/text.css", import.meta.url),
  new URL("./docs/style/tables-and-code.css", import.meta.url),
  new URL("./docs/style/screens.css", import.meta.url),
];

/** The reference for people to read, with its own files: all made once, at the start. */
export function docsPages(
  version: string,
  table: Readonly<Record<string, Operation>> = operations,
): readonly Page[] {
  const described = Object.entries(table).filter(([, { listener }]) => listener === "account");
  const style = asset("/docs/style.css", "text/css", styles);
  const script = asset("/docs/script.js", "text/javascript", [
    new URL("./docs/script.js", import.meta.url),
  ]);
  const icon = asset("/docs/icon.svg", "image/svg+xml", [
    new URL("./docs/icon.svg", import.meta.url),
  ]);
  const page = referencePage(version, Object.fromEntries(described), {
    style: addressOf(style),
    script: addressOf(script),
    icon: addressOf(icon),
  });
  const html: Page = {
    method: "GET",
    path: "/docs",
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": pagePolicy,
    },
    body: page.toString(),
  };
  return [html, style, script, icon];
}

/**
 * Kept for a day and not for ever: while instances of two versions run side by side, an old one may
 * answer for a new address, and that mistake should pass.
 */
function asset(path: string, type: string, files: readonly URL[]): Page {
  return {
    method: "GET",
    path,
    headers: { "content-type": `${type}; charset=utf-8`, "cache-control": "public, max-age=86400" },
    body: files.map((file) => readFileSync(file, "utf8")).join("\n"),
  };
}

/** The address changes with the content, so that a page never meets another version's style. */
function addressOf({ path, body }: Page): string {
  return `${path}?v=${createHash("sha256").update(body).digest("hex").slice(0, 12)}`;
}
