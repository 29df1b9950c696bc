export { confirm, type Question } from "./confirm.ts";
export { PromptEnded, Prompter, type Choice } from "./prompter.ts";
export { newSecret, readSecrets, type Secret } from "./secrets.ts";
