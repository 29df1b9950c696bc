import {
  rateLimits,
  scopes,
  type Operation,
  type RateLimitName,
} from "@ironlease/contract";
import { code, joined, markup, type Content } from "./markup.ts";
import { operationAnchor } from "./operation-section.ts";
import { table } from "./tables.ts";

/** Which operations a key of each scope reaches. */
export function scopeTable(described: Readonly<Record<string, Operation>>): Content {
  const rows = scopes.map((scope) => {
    const reached = Object.entries(described).filter(
      ([, { access }]) => access.kind === "session" && access.scopes.includes(scope),
    );
    const links = reached.map(
      ([id, { summary }]) => markup`<a href="#${operationAnchor(id)}">${summary}</a>`,
    );
    return [code(scope), links.length === 0 ? "Nothing yet" : joined(links, ", ")] as const;
  });
  return table("Scopes of API keys", "terms", ["Scope", "What it reads"], rows);
}

const counted: Readonly<Record<RateLimitName, string>> = {
  signInPerAddressAndUsername: "Failed sign-ins, for each client address and username",
  signInPerAddress: "Failed sign-ins, for each client address",
  registrationPerAddress: "Registrations, for each client address",
  recoveryPerAddressAndUsername: "Recoveries, for each client address and username",
};

export function rateLimitTable(): Content {
  const rows = (Object.keys(rateLimits) as RateLimitName[]).map((name) => {
    const { count, windowSeconds } = rateLimits[name];
    return [counted[name], `${count} in ${windowSeconds / 60} minutes`] as const;
  });
  return table("Rate limits", "terms", ["What is counted", "Limit"], rows);
}
