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
 * The steps of `npm pack` around the compiler, run in the package's folder. In the repository a package's
 * manifest points to its TypeScript sources. The published manifest points to the compiled JavaScript.
 */
const steps: Readonly<Record<string, () => void>> = {
  clean,
  declarations,
  manifest,
  restore,
};

/** Without this, compiled files of deleted sources would be published. */
function clean(): void {
  rmSync("dist", { recursive: true, force: true });
}

/** The compiler leaves `./x.ts` in declarations, which a user's compiler may reject. */
function declarations(): void {
  for (const path of globSync("dist/**/*.d.ts")) {
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replaceAll(/(from "\.{1,2}\/[^"]+)\.ts"/g, '$1.js"'));
  }
}

const backup = "package.json.kept";
const privateFields = ["devDependencies", "scripts", "publishConfig"];

/** Applies `publishConfig` and removes the fields that only the repository needs. */
function manifest(): void {
  restore();
  copyFileSync("package.json", backup);
  const ours = JSON.parse(readFileSync("package.json", "utf8")) as Record<string, object>;
  const published = Object.entries(ours).filter(([name]) => !privateFields.includes(name));
  const manifest = { ...Object.fromEntries(published), ...ours["publishConfig"] };
  const text = JSON.stringify(manifest, undefined, 2);
  writeFileSync("package.json", `${text}\n`);
}

/** Also cleans up after an interrupted `npm pack`. */
function restore(): void {
  if (existsSync(backup)) renameSync(backup, "package.json");
}

for (const name of process.argv.slice(2)) {
  const step = steps[name];
  if (step === undefined)
    throw new Error(`Unknown step ${name}. Use ${Object.keys(steps).join(", ")}.`);
  step();
}
