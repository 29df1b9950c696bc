export { canonicalJson, type Json, type JsonObject } from "./canonical-json.ts";
