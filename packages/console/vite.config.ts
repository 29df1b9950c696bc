import { readFileSync } from "node:fs";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin, type Rolldown } from "vite";
import { accountRoutes, deskRoutes } from "./src/app/urls.ts";

/** The HTML file and the URLs of each app. */
const entries = {
  account: { html: "account.html", routes: accountRoutes },
  desk: { html: "desk.html", routes: deskRoutes },
} as const;

export default defineConfig({
  root: import.meta.dirname,
  base: "/",
  logLevel: "warn",
  plugins: [tailwindcss(), earlyScript(), siteFile()],
  oxc: { jsx: { runtime: "automatic" } },
  build: {
    emptyOutDir: true,
    // No data: URLs, which the content security policy blocks.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The oldest browsers with light-dark().
    target: ["chrome123", "edge123", "firefox120", "safari17.5"],
    rolldownOptions: {
      checks: { bundlerTimings: false },
      // "use client" directives have no meaning here: everything runs in the browser.
      onLog: (level, log, handle) => {
        if (log.code !== "MODULE_LEVEL_DIRECTIVE") handle(level, log);
      },
      input: {
        ...Object.fromEntries(
          Object.entries(entries).map(([name, { html }]) => [
            name,
            `${import.meta.dirname}/${html}`,
          ]),
        ),
        fonts: `${import.meta.dirname}/src/ui/fonts.css`,
      },
      // Few files, because HTTP/1.1 loads six at a time: what both apps start with, and what many pages share.
      output: {
        codeSplitting: {
          groups: [
            { name: "libraries", tags: ["$initial"], test: /node_modules/, priority: 3 },
            { name: "shared", tags: ["$initial"], minShareCount: 2, priority: 2 },
            { name: "parts", test: /console\/src\/|lucide-react/, minShareCount: 10, priority: 1 },
          ],
        },
      },
    },
  },
});

/**
 * Applies the chosen theme in a classic script before everything else, and tells if the app cannot start. A module
 * runs after the first paint, so a dark page would flash white.
 */
function earlyScript(): Plugin {
  return {
    name: "early-script",
    apply: "build",
    buildStart() {
      const source = readFileSync(`${import.meta.dirname}/src/ui/early.js`, "utf8");
      this.emitFile({ type: "asset", name: "early.js", source });
    },
    transformIndexHtml: {
      order: "post",
      handler(_, { bundle }) {
        const early = assetOf(bundle, "early.js");
        const font = assetOf(bundle, "geist-latin-wght-normal.woff2");
        const preload = { rel: "preload", as: "font", type: "font/woff2", crossorigin: "" };
        return [
          { tag: "script", attrs: { src: `/${early}` }, injectTo: "head-prepend" as const },
          { tag: "link", attrs: { ...preload, href: `/${font}` }, injectTo: "head" as const },
        ];
      },
    },
  };
}

/** Writes site.json, which tells the server the paths and files of each app. */
function siteFile(): Plugin {
  return {
    name: "site-file",
    apply: "build",
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        const site = Object.entries(entries).map(([name, { html, routes }]) => {
          const paths = Object.values(routes).map(pathOf);
          const preloads = preloadsOf(name, routes, bundle);
          return [name, { html, paths, preloads, files: filesOf(name, bundle) }];
        });
        const fonts = assetOf(bundle, "fonts.css");
        const source = `${JSON.stringify({ ...Object.fromEntries(site), fonts }, null, 2)}\n`;
        this.emitFile({ type: "asset", fileName: "site.json", source });
      },
    },
  };
}

function assetOf(bundle: Rolldown.OutputBundle | undefined, name: string): string {
  const file = Object.values(bundle ?? {}).find(
    (output) => output.type === "asset" && output.names.includes(name),
  );
  if (file === undefined) throw new Error(`The build has no ${name}.`);
  return file.fileName;
}

function pathOf(route: string): string {
  return route.replaceAll(/\$(\w+)/g, "{$1}");
}

const lazyPages = /lazyPage\(\s*\w+,\s*(?:\w+\.)?(\w+),\s*\(\) => import\("\.\/([^"]+)"\)/g;

/** The code of each page beyond the entry's own, which the HTML at its URL preloads. */
function preloadsOf(
  name: string,
  routes: Readonly<Record<string, string>>,
  bundle: Rolldown.OutputBundle,
): Readonly<Record<string, readonly string[]>> {
  const folder = `${import.meta.dirname}/src/${name}`;
  const firstLoad = follow(bundle, entryOf(name, bundle), ({ imports }) => imports);
  const found = readFileSync(`${folder}/routes.tsx`, "utf8").matchAll(lazyPages);
  const preloads = [...found].map(([, route = "", file]) => {
    const path = routes[route];
    const page = chunksOf(bundle).find((chunk) => chunk.facadeModuleId === `${folder}/${file}`);
    if (path === undefined || page === undefined) throw new Error(`No page for ${route}.`);
    const code = follow(bundle, page, ({ imports }) => imports).difference(firstLoad);
    return [pathOf(path), [...code]] as const;
  });
  // All but the sign-in page, which is part of the entry.
  if (preloads.length !== Object.keys(routes).length - 1) throw new Error("A page is not lazy.");
  return Object.fromEntries(preloads);
}

function chunksOf(bundle: Rolldown.OutputBundle): readonly Rolldown.OutputChunk[] {
  return Object.values(bundle).filter((output) => output.type === "chunk");
}

function entryOf(name: string, bundle: Rolldown.OutputBundle): Rolldown.OutputChunk {
  const entry = chunksOf(bundle).find((chunk) => chunk.isEntry && chunk.name === name);
  if (entry === undefined) throw new Error(`The bundle has no entry ${name}.`);
  return entry;
}

function follow(
  bundle: Rolldown.OutputBundle,
  from: Rolldown.OutputChunk,
  next: (chunk: Rolldown.OutputChunk) => readonly string[],
): ReadonlySet<string> {
  const found = new Set([from.fileName]);
  for (const file of found) {
    const chunk = bundle[file];
    if (chunk?.type === "chunk") for (const other of next(chunk)) found.add(other);
  }
  return found;
}

/** All files that an app may load. */
function filesOf(name: string, bundle: Rolldown.OutputBundle): readonly string[] {
  const chunks = chunksOf(bundle);
  const code = follow(bundle, entryOf(name, bundle), ({ imports, dynamicImports }) => [
    ...imports,
    ...dynamicImports,
  ]);
  const styles = chunks
    .filter(({ fileName }) => code.has(fileName))
    .flatMap(({ viteMetadata }) => [
      ...(viteMetadata?.importedCss ?? []),
      ...(viteMetadata?.importedAssets ?? []),
    ]);
  // Fonts, the icon and the early script: small, and shared by both apps.
  const shared = Object.values(bundle).filter(
    ({ type, fileName }) => type === "asset" && /\.(?:woff2|svg|js)$/.test(fileName),
  );
  const own = [...code, ...styles, assetOf(bundle, "fonts.css")];
  const files = new Set([...own, ...shared.map(({ fileName }) => fileName)]);
  return [...files].toSorted();
}
