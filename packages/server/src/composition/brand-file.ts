import { readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { brandFile, type BrandFile } from "@ironlease/contract";
import { ConfigError, type Config } from "#config.ts";
import { ownBrand, type Brand } from "#kernel/brand.ts";
import { compileSchemaCheck } from "#kernel/field-checks.ts";
import { accentColours, contrastWithWhite } from "./accent-colours.ts";
import { readSettingsFile } from "./settings-file.ts";

const checkDocument = compileSchemaCheck(brandFile);
const maxLogoBytes = 100_000;
const pngSignature = Buffer.from("89504e470d0a1a0a", "hex");

/** The brand that `IRONLEASE_BRAND` names, or our own. Throws a ConfigError that names every problem. */
export function brandOf({ brand: file }: Pick<Config, "brand">): Brand {
  if (file === undefined) return ownBrand;
  const { document, problem } = readSettingsFile("IRONLEASE_BRAND", file);
  const faults = checkDocument(document);
  if (faults.length > 0) throw new ConfigError(faults.map(problem));
  const { logo, accentColour, ...texts } = document as BrandFile;
  const fail = (field: string, message: string): never => {
    throw new ConfigError([problem({ path: [field], message })]);
  };
  const accent = accentColour === undefined ? undefined : accentColours(accentColour);
  if (accentColour !== undefined && accent === undefined) {
    const ratio = contrastWithWhite(accentColour).toFixed(1);
    fail(
      "accentColour",
      `is too light for white text: the contrast is ${ratio}, and 4.5 is the least. Choose a darker colour`,
    );
  }
  return {
    ...texts,
    ...(accent !== undefined && { accent }),
    ...(logo !== undefined && {
      logo: readLogo(resolve(dirname(resolve(file)), logo), (message) => fail("logo", message)),
    }),
  };
}

/** Only the size and the format are checked: browsers run nothing in an image. */
function readLogo(path: string, fail: (message: string) => never): NonNullable<Brand["logo"]> {
  const body = readImage(path, fail);
  if (body.subarray(0, pngSignature.length).equals(pngSignature))
    return { type: "image/png", body };
  if (
    /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]{0,4000}?-->\s*)*<svg[\s>]/.test(body.toString("utf8"))
  ) {
    return { type: "image/svg+xml", body };
  }
  return fail("must be an SVG or PNG file");
}

function readImage(path: string, fail: (message: string) => never): Buffer {
  try {
    if (statSync(path).size <= maxLogoBytes) return readFileSync(path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    fail(`cannot be read (${code})`);
  }
  return fail(`must have at most ${maxLogoBytes / 1_000} kB`);
}
