import {
  rateLimits,
  scopes,
  type ErrorCode,
  type Operation,
  type RateLimitName,
} from "@ironlease/contract";
import type { Chapter } from "./chapter.ts";
import { keys, sessions, start } from "./introduction-access.ts";
import {
  conventions,
  extensions,
  failures,
  idempotency,
  limitedAttempts,
} from "./introduction-conventions.ts";
import { code, joined, markup, type Markup } from "./markup.ts";
import { operationAnchor } from "./operation-section.ts";
import { errorTable, table } from "./tables.ts";

type OperationTable = Readonly<Record<string, Operation>>;

/** What holds for all operations. `everywhere` are the codes that each of them can answer. */
export function introduction(
  described: OperationTable,
  everywhere: ReadonlySet<ErrorCode>,
): readonly Chapter[] {
  return [
    start,
    sessions,
    { ...keys, text: [keys.text, scopeTable(described)] },
    idempotency,
    conventions,
    { ...failures, text: [failures.text, errorTable("Errors everywhere", [...everywhere])] },
    { ...limitedAttempts, text: [limitedAttempts.text, rateLimitTable()] },
    extensions,
  ];
}

/** Which operations a key of each scope reaches. */
function scopeTable(described: OperationTable): Markup {
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

/** Those that customers may meet. */
const counted: Readonly<Partial<Record<RateLimitName, string>>> = {
  signInPerAddressAndUsername: "Failed sign-ins, for each client address and username",
  signInPerAddress: "Failed sign-ins, for each client address",
  registrationPerAddress: "Registrations, for each client address",
  recoveryPerAddressAndUsername: "Recoveries, for each client address and username",
  recoveryPerAddress: "Recoveries, for each client address",
};

function rateLimitTable(): Markup {
  const rows = (Object.keys(rateLimits) as RateLimitName[]).flatMap((name) => {
    const { count, windowSeconds } = rateLimits[name];
    const what = counted[name];
    return what === undefined ? [] : [[what, `${count} in ${windowSeconds / 60} minutes`] as const];
  });
  return table("Rate limits", "terms", ["What is counted", "Limit"], rows);
}
