import {
  copyFileSync,
  existsSync,
  globSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";

/**
 * What `npm pack` needs besides the compiler, run in the package's folder. In the repository a package
 * is imported as the TypeScript that it is; published it is JavaScript, and its manifest says so.
 */
const steps: Readonly<Record<string, () => void>> = {
  clean,
  declarations,
  manifest,
  restore,
};

/** A file whose source is gone would be published all the same. */
function clean(): void {
  rmSync("dist", { recursive: true, force: true });
}

/** The compiler writes `./x.ts` into declarations, which not every compiler of our users takes. */
function declarations(): void {
  for (const path of globSync("dist/**/*.d.ts")) {
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replaceAll(/(from "\.{1,2}\/[^"]+)\.ts"/g, '$1.js"'));
  }
}

const kept = "package.json.kept";
const onlyOurs = ["devDependencies", "scripts", "publishConfig"];

/** Puts what `publishConfig` says into its place, and leaves out what only we need. */
function manifest(): void {
  restore();
  copyFileSync("package.json", kept);
  const ours = JSON.parse(readFileSync("package.json", "utf8")) as Record<string, object>;
  const published = Object.entries(ours).filter(([name]) => !onlyOurs.includes(name));
  const manifest = { ...Object.fromEntries(published), ...ours["publishConfig"] };
  const text = JSON.stringify(manifest, undefined, 2);
  writeFileSync("package.json", `${text}\n`);
}

/** Also mends what a packing that was broken off has left. */
function restore(): void {
  if (existsSync(kept)) renameSync(kept, "package.json");
}

for (const name of process.argv.slice(2)) {
  const step = steps[name];
  if (step === undefined) throw new Error(`Steps are ${Object.keys(steps).join(", ")}.`);
  step();
}
