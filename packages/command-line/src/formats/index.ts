export { csvText } from "./csv.ts";
export { yamlText } from "./yaml.ts";
