import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Operation } from "@ironlease/contract";
import { ownOrigin } from "./docs/own-origin.ts";
import { referencePage } from "./docs/page.ts";
import { ok } from "#kernel/result.ts";
import type { AnyPage, LivePage, Page } from "./pages.ts";
import { pagePolicy } from "./answers/security-headers.ts";

/** The stylesheet, in the order in which later rules overrule earlier ones. */
const styles = [
  new URL("./docs/style/page.css", import.meta.url),
  new URL("./docs/style/contents.css", import.meta.url),
  new URL("./docs/style/text.css", import.meta.url),
  new URL("./docs/style/tables-and-code.css", import.meta.url),
  new URL("./docs/style/screens.css", import.meta.url),
];

/** The reference of one listener's operations, with its own files: all made once, at the start. */
export function docsPages(
  version: string,
  listener: Operation["listener"],
  described: Readonly<Record<string, Operation>>,
): readonly AnyPage[] {
  const style = asset("/docs/style.css", "text/css", styles);
  const script = asset("/docs/script.js", "text/javascript", [
    new URL("./docs/script.js", import.meta.url),
  ]);
  const icon = asset("/docs/icon.svg", "image/svg+xml", [
    new URL("./docs/icon.svg", import.meta.url),
  ]);
  const page = referencePage(version, listener, described, {
    style: addressOf(style),
    script: addressOf(script),
    icon: addressOf(icon),
  });
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": pagePolicy,
  };
  const parts = page.toString().split(ownOrigin);
  const html: LivePage = {
    method: "GET",
    path: "/docs",
    answer: async (origin) =>
      ok({ headers, body: parts.join(isPlain(origin) ? origin : "https://localhost") }),
  };
  return [html, style, script, icon];
}

/** A preview takes any Host; one that HTML or a shell would read as more than a name is not shown. */
function isPlain(origin: string): boolean {
  return /^https?:\/\/[a-z0-9.:[\]-]+$/.test(origin);
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
