import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { operations, type Operation } from "@ironlease/contract";
import { referencePage } from "./docs/page.ts";
import type { Page } from "./pages.ts";

/** The reference for people to read, with its own files: all made once, at the start. */
export function docsPages(
  version: string,
  table: Readonly<Record<string, Operation>> = operations,
): readonly Page[] {
  const described = Object.entries(table).filter(([, { listener }]) => listener === "account");
  const style = asset("/docs/style.css", "text/css", new URL("./docs/style.css", import.meta.url));
  const script = asset(
    "/docs/script.js",
    "text/javascript",
    new URL("./docs/script.js", import.meta.url),
  );
  const icon = asset("/docs/icon.svg", "image/svg+xml", new URL("./docs/icon.svg", import.meta.url));
  const page = referencePage(version, Object.fromEntries(described), {
    style: addressOf(style),
    script: addressOf(script),
    icon: addressOf(icon),
  });
  const html = {
    method: "GET",
    path: "/docs",
    headers: { "content-type": "text/html; charset=utf-8" },
    body: page.toString(),
  } as const;
  return [html, style, script, icon];
}

/**
 * Kept for a day, not for ever: while instances of two versions run side by side, an old one may
 * answer for a new address.
 */
function asset(path: string, type: string, file: URL): Page {
  return {
    method: "GET",
    path,
    headers: { "content-type": `${type}; charset=utf-8`, "cache-control": "public, max-age=86400" },
    body: readFileSync(file, "utf8"),
  };
}

/** The address changes with the content, so that a page never meets another version's style. */
function addressOf({ path, body }: Page): string {
  return `${path}?v=${createHash("sha256").update(body).digest("hex").slice(0, 12)}`;
}
