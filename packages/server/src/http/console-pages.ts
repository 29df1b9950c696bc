import { existsSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { ownBrand, type Brand } from "#kernel/brand.ts";
import { brandAddresses } from "./brand-pages.ts";
import type { Page } from "./pages.ts";
import { pagePolicy } from "./answers/security-headers.ts";

/** The site.json that the console's build writes. */
interface Site {
  readonly account: Entry;
  readonly desk: Entry;
  /** The stylesheet with the fonts, which both entries serve. */
  readonly fonts: string;
}

interface Entry {
  readonly html: string;
  /** Paths that answer with the HTML. The console's own router shows the page. */
  readonly paths: readonly string[];
  /** The scripts of each path's page, which load together with those of the app. */
  readonly preloads?: Readonly<Record<string, readonly string[]>>;
  /** Every file that the HTML may load, as a path from the root. */
  readonly files: readonly string[];
}

/** Settings of the service that the pages need, by the name of their `meta` element. Never secrets: anyone can read them. */
export type PageSettings = Readonly<Record<string, unknown>>;

/** Stricter than `pagePolicy`: no form submission, no data: images, and trusted types. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

const html = { "content-type": "text/html; charset=utf-8" } as const;

/**
 * The console's files from its build folder, read once at the start and served from memory. Without a
 * build, the server still runs, and `/` explains how to build the console.
 */
export function consolePages(
  folder: string,
  entry: "account" | "desk",
  brand: Brand = ownBrand,
  settings: PageSettings = {},
): readonly Page[] {
  const found = readSite(folder)?.[entry];
  if (found === undefined) return [howToBuild()];
  const page = withBrand(readFileSync(join(folder, found.html), "utf8"), brand);
  const body = withSettings(page, { ...settings, ...brandSettings(brand) });
  const headers = { ...html, "content-security-policy": policy };
  return [
    ...found.paths.map((path): Page => ({
      method: "GET",
      path,
      headers,
      body: withPreloads(body, found.preloads?.[path] ?? []),
      ...(path === "/" && { isFallback: true }),
    })),
    ...found.files.map((file) => assetPage(folder, file)),
  ];
}

/** The address of the stylesheet with the console's fonts. Undefined without a build. */
export function consoleFonts(folder: string): string | undefined {
  const site = readSite(folder);
  return site === undefined ? undefined : `/${site.fonts}`;
}

function readSite(folder: string): Site | undefined {
  const file = join(folder, "site.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Site) : undefined;
}

/** The pages read their texts from the build, which knows our own name only. */
function withBrand(page: string, brand: Brand): string {
  const { style, logo } = brandAddresses(brand);
  const named = page.replaceAll(ownBrand.name, () => inAttribute(brand.name));
  const styled =
    style === undefined
      ? named
      : named.replace("</head>", `<link rel="stylesheet" href="${style}" /></head>`);
  return logo === undefined
    ? styled
    : styled.replace(/<link rel="icon"[^>]*>/, `<link rel="icon" href="${logo}" />`);
}

/** Nothing for our own brand, which the build contains. */
function brandSettings(brand: Brand): PageSettings {
  if (brand === ownBrand) return {};
  const { name, support, termsUrl, privacyUrl } = brand;
  return { brand: { name, support, termsUrl, privacyUrl, logo: brandAddresses(brand).logo } };
}

/** A `meta` element per setting: the content security policy allows no inline script. */
function withSettings(page: string, settings: PageSettings): string {
  const elements = Object.entries(settings).map(
    ([name, value]) => `<meta name="${name}" content="${inAttribute(JSON.stringify(value))}" />`,
  );
  return page.replace("</head>", () => `${elements.join("")}</head>`);
}

function withPreloads(page: string, files: readonly string[]): string {
  const elements = files.map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`);
  return page.replace("</head>", () => `${elements.join("")}</head>`);
}

function inAttribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

/** The file's name contains a hash of its content, so browsers may cache it for good. */
function assetPage(folder: string, file: string): Page {
  const type = types[extname(file)];
  if (type === undefined) throw new Error(`the console has a file of an unknown type: ${file}`);
  const path = join(folder, file);
  const encoded = new Map(
    [["br", `${path}.br`] as const, ["gzip", `${path}.gz`] as const]
      .filter(([, compressed]) => existsSync(compressed))
      .map(([coding, compressed]) => [coding, readFileSync(compressed)]),
  );
  return {
    method: "GET",
    path: `/${file}`,
    headers: { "content-type": type, "cache-control": "public, max-age=31536000, immutable" },
    body: readFileSync(path),
    ...(encoded.size === 0 ? {} : { encoded }),
  };
}

function howToBuild(): Page {
  return {
    method: "GET",
    path: "/",
    headers: { ...html, "content-security-policy": pagePolicy },
    body: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Ironlease</title></head>
<body>
<h1>Ironlease is running</h1>
<p>The console is not built yet. Run <code>npm run build</code>, then restart the service.
<code>npm start</code> does both.</p>
<p>The API works without the console. See <a href="/docs">the API reference</a>.</p>
</body>
</html>
`,
  };
}
