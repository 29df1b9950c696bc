import manifest from "../package.json" with { type: "json" };

/** The package's own version, so that there is one place to change it. */
export const version: string = manifest.version;
