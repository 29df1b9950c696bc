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

/** The chapters before the operations. `everywhere` has the codes that every operation can return. */
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

/** The operations that a key of each scope can call. */
function scopeTable(described: OperationTable): Markup {
  const rows = scopes.map((scope) => {
    const reached = Object.entries(described).filter(
      ([, { access }]) => access.kind === "session" && access.scopes.includes(scope),
    );
    const links = reached.map(
      ([id, { summary }]) => markup`<a href="#${operationAnchor(id)}">${summary}</a>`,
    );
    return [code(scope), links.length === 0 ? "None" : joined(links, ", ")] as const;
  });
  return table("Scopes of API keys", "terms", ["Scope", "Operations"], rows);
}

type Counted = Readonly<Partial<Record<RateLimitName, string>>>;

const signIns: Counted = {
  signInPerAddressAndUsername: "Failed sign-ins per client address and username",
  signInPerAddress: "Failed sign-ins per client address",
};

/** The rate limits that apply to each listener. */
const counted: Readonly<Record<Operation["listener"], Counted>> = {
  account: {
    ...signIns,
    registrationPerAddress: "Registrations per client address",
    recoveryPerAddressAndUsername: "Recovery attempts per client address and username",
    recoveryPerAddress: "Recovery attempts per client address",
    secondFactorPerAccount: "Wrong second-factor codes per account",
    messagesPerAccount: "Messages to the operators per account",
    exportsPerAccount: "Exports of the account's data",
    contactCodes: "Confirmation codes per account, and per e-mail address",
    contactConfirmations: "Attempts to confirm an e-mail address per account",
  },
  operator: { ...signIns, secondFactorPerOperator: "Wrong second-factor codes per operator" },
};

function rateLimitTable(counted: Counted): Markup {
  const rows = (Object.keys(rateLimits) as RateLimitName[]).flatMap((name) => {
    const { count, windowSeconds } = rateLimits[name];
    const what = counted[name];
    return what === undefined ? [] : [[what, `${count} in ${windowSeconds / 60} minutes`] as const];
  });
  return table("Rate limits", "terms", ["Counted", "Limit"], rows);
}
