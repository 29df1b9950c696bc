import { idPrefixes, operations } from "@ironlease/contract";
import { renamed } from "#test/access-callers.ts";
import type { Actor } from "../actors.ts";
import type { Dice } from "../dice.ts";
import { asBytes, removeHeader, setHeader, type Draft } from "../draft.ts";
import { prefixIn } from "../valid-request.ts";
import { hostileTexts, type Mutation } from "./mutation.ts";

/** Somebody else sends the same request. */
function sendAs(draft: Draft, actor: Actor | undefined): void {
  if (actor === undefined) return;
  removeHeader(draft, "authorization");
  setHeader(draft, "cookie", actor.credentials.cookie);
  setHeader(draft, "x-csrf-token", actor.credentials.csrfToken);
}

function withKey(draft: Draft, key: string): void {
  setHeader(draft, "authorization", key);
}

const keyNames = ["read", "servers", "billing", "revoked"] as const;

export const callerMutations: readonly Mutation[] = [
  {
    name: "nobody",
    apply: (draft) => {
      for (const name of ["cookie", "authorization", "x-csrf-token"]) removeHeader(draft, name);
    },
  },
  { name: "another customer", apply: (draft, dice, { poor }) => sendAs(draft, dice.pick(poor)) },
  {
    name: "a frozen customer",
    apply: (draft, dice, { frozen }) => sendAs(draft, dice.pick(frozen)),
  },
  {
    name: "an operator of any role",
    apply: (draft, dice, { desk }) => sendAs(draft, dice.pick(desk)),
  },
  {
    name: "the other side under this side's names",
    apply: (draft, dice, { desk, rich }) => {
      const isDesk = draft.listener === "operator";
      const actor = dice.pick(isDesk ? rich : desk);
      if (actor === undefined) return;
      sendAs(draft, { ...actor, credentials: renamed(actor.credentials, draft.listener) });
    },
  },
  {
    name: "an API key",
    apply: (draft, dice, { rich }) =>
      withKey(draft, `Bearer ${dice.pick(rich)?.keys[dice.pick(keyNames)]}`),
  },
  {
    name: "a key that is none",
    apply: (draft, dice) =>
      withKey(
        draft,
        dice.pick([
          "Bearer",
          "bearer svk_x",
          "Basic eA==",
          "Bearer  ",
          "Digest",
          "Bearer svk_\xff",
          "",
        ]),
      ),
  },
  {
    name: "the other listener",
    apply: (draft) => {
      draft.listener = draft.listener === "account" ? "operator" : "account";
    },
  },
];

/** What the path names is somebody else's, of another kind, or nothing at all. */
export const idMutations: readonly Mutation[] = [
  {
    name: "somebody else's id",
    apply: (draft, dice, { known }) => {
      const prefix = prefixIn(operations[draft.operationId].path);
      replaceId(draft, prefix === undefined ? undefined : known.pickAny(dice, prefix));
    },
  },
  {
    name: "an id of another kind",
    apply: (draft, dice, { known }) => replaceId(draft, known.pickAny(dice)),
  },
  {
    name: "an id of nothing",
    apply: (draft, dice) =>
      replaceId(
        draft,
        `${dice.pick(Object.values(idPrefixes))}_${dice.pick(["01h455vb4pex5vsknk084sn02q", "7zzzzzzzzzzzzzzzzzzzzzzzzz", "8zzzzzzzzzzzzzzzzzzzzzzzzz", "0", "ilou"])}`,
      ),
  },
  {
    name: "an id that is none",
    apply: (draft, dice) => replaceId(draft, escapeSome(dice.pick(hostileTexts), dice)),
  },
  {
    name: "an id that is almost one",
    apply: (draft, dice) => {
      const id = idIn(draft);
      if (id === undefined) return;
      const forms = [
        id.toUpperCase(),
        `${id}0`,
        id.slice(0, -1),
        `${id}%20`,
        `${id};x`,
        id.replace("_", "%5F"),
      ];
      replaceId(draft, dice.pick(forms));
    },
  },
];

const idInPath = /[a-z]{3}_[0-9a-z]{26}/;

function idIn({ path }: Draft): string | undefined {
  return idInPath.exec(path)?.[0];
}

function replaceId(draft: Draft, id: string | undefined): void {
  if (id !== undefined) draft.path = draft.path.replace(idInPath, () => id);
}

/** As a browser escapes it, or as bytes: the first is a path, the second perhaps not. */
export function escapeSome(text: string, dice: Dice): string {
  return dice.chance(0.7)
    ? encodeURIComponent(text.toWellFormed())
    : asBytes(text).replaceAll(/[\0-\x20]/g, "");
}
