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
    },
  },
});

/**
 * Applies the chosen theme in a classic script before everything else, and tells if the app cannot start. A module
 * runs after the first paint, so a dark page would flash white.
 */
function earlyScript(): Plugin {
  let reference: string | undefined;
  return {
    name: "early-script",
    apply: "build",
    buildStart() {
      const source = readFileSync(`${import.meta.dirname}/src/ui/early.js`, "utf8");
      reference = this.emitFile({ type: "asset", name: "early.js", source });
    },
    transformIndexHtml: {
      order: "post",
      handler(_, { bundle }) {
        const file = Object.values(bundle ?? {}).find(
          (output) => output.type === "asset" && output.names.includes("early.js"),
        );
        if (reference === undefined || file === undefined)
          throw new Error("The early script was not emitted.");
        return [
          { tag: "script", attrs: { src: `/${file.fileName}` }, injectTo: "head-prepend" as const },
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
          const paths = Object.values(routes).map((path) => path.replaceAll(/\$(\w+)/g, "{$1}"));
          return [name, { html, paths, ...filesOf(name, bundle) }];
        });
        const fonts = fontsFile(bundle);
        const source = `${JSON.stringify({ ...Object.fromEntries(site), fonts }, null, 2)}\n`;
        this.emitFile({ type: "asset", fileName: "site.json", source });
      },
    },
  };
}

function fontsFile(bundle: Rolldown.OutputBundle): string {
  const file = Object.values(bundle).find(
    (output) => output.type === "asset" && output.names.includes("fonts.css"),
  );
  if (file === undefined) throw new Error("The bundle has no fonts.");
  return file.fileName;
}

/** All files that an app may load, and those of its first load. */
function filesOf(name: string, bundle: Rolldown.OutputBundle) {
  const chunks = Object.values(bundle).filter((output) => output.type === "chunk");
  const entry = chunks.find((chunk) => chunk.isEntry && chunk.name === name);
  if (entry === undefined) throw new Error(`The bundle has no entry ${name}.`);
  const follow = (next: (chunk: Rolldown.OutputChunk) => readonly string[]) => {
    const found = new Set([entry.fileName]);
    for (const file of found) {
      const chunk = bundle[file];
      if (chunk?.type === "chunk") for (const other of next(chunk)) found.add(other);
    }
    return found;
  };
  const firstLoad = follow(({ imports }) => imports);
  const code = follow(({ imports, dynamicImports }) => [...imports, ...dynamicImports]);
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
  const own = [...code, ...styles, fontsFile(bundle)];
  const files = new Set([...own, ...shared.map(({ fileName }) => fileName)]);
  return { files: [...files].toSorted(), firstLoad: [...firstLoad].toSorted() };
}
