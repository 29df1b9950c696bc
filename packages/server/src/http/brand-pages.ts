import { createHash } from "node:crypto";
import type { Brand } from "#kernel/brand.ts";
import type { Page } from "./pages.ts";

/** The addresses of what a brand adds to a page. Undefined for what it leaves as it is. */
export interface BrandAddresses {
  readonly style: string | undefined;
  readonly logo: string | undefined;
}

/** Not immutable, for the reason in `docs-pages.ts`. */
const caching = { "cache-control": "public, max-age=86400" };

/** The style and the logo of a brand, which every listener serves for its own pages. */
export function brandPages(brand: Brand): readonly Page[] {
  const { logo } = brand;
  const style = styleOf(brand);
  const pages: Page[] = [];
  if (style !== undefined) {
    const headers = { "content-type": "text/css; charset=utf-8", ...caching };
    pages.push({ method: "GET", path: "/brand/style.css", headers, body: style });
  }
  if (logo !== undefined) {
    const headers = { "content-type": logo.type, ...caching };
    pages.push({ method: "GET", path: "/brand/logo", headers, body: logo.body });
  }
  return pages;
}

/** The URLs contain a hash of the content, so that a page never shows another version. */
export function brandAddresses(brand: Brand): BrandAddresses {
  const style = styleOf(brand);
  return {
    style: style === undefined ? undefined : `/brand/style.css?v=${hashOf(style)}`,
    logo: brand.logo === undefined ? undefined : `/brand/logo?v=${hashOf(brand.logo.body)}`,
  };
}

function styleOf({ accent }: Brand): string | undefined {
  if (accent === undefined) return undefined;
  const colour = `light-dark(${accent.light}, ${accent.dark})`;
  return `:root {
  --color-action: ${colour};
  --color-action-strong: color-mix(in srgb, ${colour} 85%, black);
}
`;
}

function hashOf(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex").slice(0, 12);
}
