import manifest from "../package.json" with { type: "json" };

/** From package.json, so that there is one place to change it. */
export const version: string = manifest.version;
