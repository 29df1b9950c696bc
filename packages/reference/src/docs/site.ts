import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Operation } from "@ironlease/contract";
import { ownOrigin } from "./own-origin.ts";
import { referencePage } from "./page.ts";

export interface DocsSite {
  /** The HTML, with examples that call the given origin. */
  page(origin: string): string;
  readonly files: readonly DocsFile[];
}

/** How the page looks. The addresses are of files that the server has. */
export interface DocsBrand {
  readonly name: string;
  /** A stylesheet with the fonts of the console. Without it, the page uses the system's. */
  readonly fonts?: string | undefined;
  readonly logo?: string | undefined;
  readonly style?: string | undefined;
}

export interface DocsFile {
  readonly path: string;
  readonly type: string;
  readonly body: string;
}

/** Later stylesheets override earlier ones. */
const styles = [
  new URL("./style/page.css", import.meta.url),
  new URL("./style/contents.css", import.meta.url),
  new URL("./style/text.css", import.meta.url),
  new URL("./style/tables-and-code.css", import.meta.url),
  new URL("./style/screens.css", import.meta.url),
];

/** The `/docs` page of one listener and the files it loads. The page is rendered once, for its first reader. */
export function docsSite(
  version: string,
  listener: Operation["listener"],
  described: Readonly<Record<string, Operation>>,
  brand: DocsBrand = { name: "Ironlease" },
): DocsSite {
  const style = file("/docs/style.css", "text/css", styles);
  const script = file("/docs/script.js", "text/javascript", [
    new URL("./script.js", import.meta.url),
  ]);
  const theme = file("/docs/theme.js", "text/javascript", [new URL("./theme.js", import.meta.url)]);
  const icon = file("/docs/icon.svg", "image/svg+xml", [new URL("./icon.svg", import.meta.url)]);
  const render = () =>
    referencePage(version, listener, described, {
      style: addressOf(style),
      script: addressOf(script),
      theme: addressOf(theme),
      icon: brand.logo ?? addressOf(icon),
      fonts: brand.fonts,
      brandStyle: brand.style,
      brandName: brand.name,
    });
  let parts: readonly string[] | undefined;
  return {
    page: (origin) => {
      parts ??= render().toString().split(ownOrigin);
      return parts.join(isPlain(origin) ? origin : "https://localhost");
    },
    files: [style, script, theme, icon],
  };
}

/** A preview accepts any Host header, so one that HTML or a shell could interpret is not shown. */
function isPlain(origin: string): boolean {
  return /^https?:\/\/[a-z0-9.:[\]-]+$/.test(origin);
}

function file(path: string, type: string, sources: readonly URL[]): DocsFile {
  const texts = sources.map((source) => readFileSync(source, "utf8"));
  return { path, type: `${type}; charset=utf-8`, body: texts.join("\n") };
}

/** The URL contains a hash of the content, so a page never loads another version's style. */
function addressOf({ path, body }: DocsFile): string {
  return `${path}?v=${createHash("sha256").update(body).digest("hex").slice(0, 12)}`;
}
