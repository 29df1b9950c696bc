import { readFileSync } from "node:fs";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin, type Rolldown } from "vite";
import { accountRoutes, deskRoutes } from "./src/app/urls.ts";

/** The entries: the file that each one starts from, and the addresses at which it answers. */
const entries = {
  account: { html: "account.html", routes: accountRoutes },
  desk: { html: "desk.html", routes: deskRoutes },
} as const;

export default defineConfig({
  root: import.meta.dirname,
  base: "/",
  logLevel: "warn",
  plugins: [tailwindcss(), earlyTheme(), siteFile()],
  oxc: { jsx: { runtime: "automatic" } },
  build: {
    emptyOutDir: true,
    // Nothing in data: addresses, which the content security policy refuses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // As the browsers that have light-dark().
    target: ["chrome123", "edge123", "firefox120", "safari17.5"],
    rolldownOptions: {
      checks: { bundlerTimings: false },
      // Libraries mark what runs in a browser with "use client". All of this does.
      onLog: (level, log, handle) => {
        if (log.code !== "MODULE_LEVEL_DIRECTIVE") handle(level, log);
      },
      input: Object.fromEntries(
        Object.entries(entries).map(([name, { html }]) => [name, `${import.meta.dirname}/${html}`]),
      ),
    },
  },
});

/**
 * The theme that somebody has chosen is put on the page by a script of its own that comes before
 * everything else: a module runs after the first paint, and a dark room would flash white.
 */
function earlyTheme(): Plugin {
  let reference: string | undefined;
  return {
    name: "early-theme",
    apply: "build",
    buildStart() {
      const source = readFileSync(`${import.meta.dirname}/src/ui/early-theme.js`, "utf8");
      reference = this.emitFile({ type: "asset", name: "early-theme.js", source });
    },
    transformIndexHtml: {
      order: "post",
      handler(_, { bundle }) {
        const file = Object.values(bundle ?? {}).find(
          (output) => output.type === "asset" && output.names.includes("early-theme.js"),
        );
        if (reference === undefined || file === undefined) throw new Error("no early theme");
        return [
          { tag: "script", attrs: { src: `/${file.fileName}` }, injectTo: "head-prepend" as const },
        ];
      },
    },
  };
}

/** Writes site.json: what the server needs to know to serve each entry, and nothing of the other. */
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
        const source = `${JSON.stringify(Object.fromEntries(site), null, 2)}\n`;
        this.emitFile({ type: "asset", fileName: "site.json", source });
      },
    },
  };
}

/** Which files an entry may ever ask for, and which of them it asks for at once. */
function filesOf(name: string, bundle: Rolldown.OutputBundle) {
  const chunks = Object.values(bundle).filter((output) => output.type === "chunk");
  const entry = chunks.find((chunk) => chunk.isEntry && chunk.name === name);
  if (entry === undefined) throw new Error(`no entry ${name}`);
  const follow = (next: (chunk: Rolldown.OutputChunk) => readonly string[]) => {
    const found = new Set([entry.fileName]);
    for (const file of found) {
      const chunk = bundle[file];
      if (chunk?.type === "chunk") for (const other of next(chunk)) found.add(other);
    }
    return found;
  };
  const atOnce = follow(({ imports }) => imports);
  const code = follow(({ imports, dynamicImports }) => [...imports, ...dynamicImports]);
  const styles = chunks
    .filter(({ fileName }) => code.has(fileName))
    .flatMap(({ viteMetadata }) => [
      ...(viteMetadata?.importedCss ?? []),
      ...(viteMetadata?.importedAssets ?? []),
    ]);
  // What styles and pages name: fonts, the icon, the early theme. Small, and the same for both.
  const rest = Object.values(bundle).filter(
    ({ type, fileName }) => type === "asset" && /\.(?:woff2|svg|js)$/.test(fileName),
  );
  const files = new Set([...code, ...styles, ...rest.map(({ fileName }) => fileName)]);
  return { files: [...files].toSorted(), firstLoad: [...atOnce].toSorted() };
}
