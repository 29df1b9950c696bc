export { confirm, type Question } from "./confirm.ts";
export { PromptEnded, Prompter } from "./prompter.ts";
export { newSecret, readSecrets, type Secret } from "./secrets.ts";
