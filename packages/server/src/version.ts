import { readFileSync } from "node:fs";

/** From package.json, so that there is one place to change it. */
export const version: string = (
  JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
    version: string;
  }
).version;
