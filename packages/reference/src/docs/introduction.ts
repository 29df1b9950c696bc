import {
  rateLimits,
  scopes,
  type ErrorCode,
  type Operation,
  type RateLimitName,
} from "@ironlease/contract";
import type { Chapter } from "./chapter.ts";
import { keys, sessions, start } from "./introduction-access.ts";
import { operatorSessions, operatorStart, pages, roleChapter } from "./introduction-operator.ts";
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
  listener: Operation["listener"],
  described: OperationTable,
  everywhere: ReadonlySet<ErrorCode>,
): readonly Chapter[] {
  const shared = [
    idempotency,
    conventions,
    { ...failures, text: [failures.text, errorTable("Errors everywhere", [...everywhere])] },
    { ...limitedAttempts, text: [limitedAttempts.text, rateLimitTable(counted[listener])] },
  ];
  if (listener === "operator") {
    return [operatorStart, operatorSessions, roleChapter(described), pages, ...shared];
  }
  const keysAndScopes = { ...keys, text: [keys.text, scopeTable(described)] };
  return [start, sessions, keysAndScopes, ...shared, extensions];
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

type Counted = Readonly<Partial<Record<RateLimitName, string>>>;

const signIns: Counted = {
  signInPerAddressAndUsername: "Failed sign-ins, for each client address and username",
  signInPerAddress: "Failed sign-ins, for each client address",
};

/** What each side's callers may meet. */
const counted: Readonly<Record<Operation["listener"], Counted>> = {
  account: {
    ...signIns,
    registrationPerAddress: "Registrations, for each client address",
    recoveryPerAddressAndUsername: "Recoveries, for each client address and username",
    recoveryPerAddress: "Recoveries, for each client address",
  },
  operator: { ...signIns, secondFactorPerOperator: "Wrong codes, for each operator" },
};

function rateLimitTable(counted: Counted): Markup {
  const rows = (Object.keys(rateLimits) as RateLimitName[]).flatMap((name) => {
    const { count, windowSeconds } = rateLimits[name];
    const what = counted[name];
    return what === undefined ? [] : [[what, `${count} in ${windowSeconds / 60} minutes`] as const];
  });
  return table("Rate limits", "terms", ["What is counted", "Limit"], rows);
}
