export { readRecipients, type RecipientStanza } from "./header.ts";
export { isSealable, sealableTypes, tagOf, type SealableType } from "./ssh-key.ts";
