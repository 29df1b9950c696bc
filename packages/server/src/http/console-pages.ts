import { existsSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import type { Page } from "./pages.ts";
import { pagePolicy } from "./answers/security-headers.ts";

/** What the build of the console says of one of its entries, in its site.json. */
interface Entry {
  readonly html: string;
  /** Where the HTML is the answer: the pages that the console itself tells apart. */
  readonly paths: readonly string[];
  /** Everything that the HTML may ever ask for, by its path from the root. */
  readonly files: readonly string[];
}

/** Stricter than what is sent with everything else: nothing is submitted, and nothing is inline. */
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
 * The console, as it was built into a folder: read once, at the start, and served from memory. The
 * server runs without it too, and then says at `/` how to build it.
 */
export function consolePages(folder: string, entry: "account" | "desk"): readonly Page[] {
  const site = join(folder, "site.json");
  if (!existsSync(site)) return [howToBuild()];
  const entries = JSON.parse(readFileSync(site, "utf8")) as Readonly<Record<string, Entry>>;
  const found = entries[entry];
  if (found === undefined) throw new Error(`${site} knows no ${entry}: build the console again`);
  const body = readFileSync(join(folder, found.html));
  const headers = { ...html, "content-security-policy": policy };
  return [
    ...found.paths.map((path) => ({ method: "GET", path, headers, body }) as const),
    ...found.files.map((file) => assetPage(folder, file)),
  ];
}

/** Its name has the hash of its content in it: under that name it never changes. */
function assetPage(folder: string, file: string): Page {
  const type = types[extname(file)];
  if (type === undefined) throw new Error(`the console has a file of an unknown kind: ${file}`);
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
<p>Its console is not built yet. Run <code>npm run build</code>, then start the service again.
<code>npm start</code> does both.</p>
<p>The API needs no console: <a href="/docs">its reference</a> is here.</p>
</body>
</html>
`,
  };
}
