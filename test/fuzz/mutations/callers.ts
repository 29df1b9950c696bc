import { idPrefixes, operations } from "@ironlease/contract";
import { renamed } from "#test/access-callers.ts";
import type { Actor } from "../actors.ts";
import type { SeededRandom } from "../seeded-random.ts";
import { asBytes, removeHeader, setHeader, type Draft } from "../draft.ts";
import { prefixIn } from "../valid-request.ts";
import { hostileTexts, type Mutation } from "./mutation.ts";

/** Sends the request with another actor's session. */
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
    name: "no credentials",
    apply: (draft) => {
      for (const name of ["cookie", "authorization", "x-csrf-token"]) removeHeader(draft, name);
    },
  },
  {
    name: "another customer",
    apply: (draft, random, { unfunded }) => sendAs(draft, random.pick(unfunded)),
  },
  {
    name: "a frozen customer",
    apply: (draft, random, { frozen }) => sendAs(draft, random.pick(frozen)),
  },
  {
    name: "an operator of any role",
    apply: (draft, random, { operators }) => sendAs(draft, random.pick(operators)),
  },
  {
    name: "the other listener's session in this listener's cookies",
    apply: (draft, random, { operators, funded }) => {
      const isDesk = draft.listener === "operator";
      const actor = random.pick(isDesk ? funded : operators);
      if (actor === undefined) return;
      sendAs(draft, { ...actor, credentials: renamed(actor.credentials, draft.listener) });
    },
  },
  {
    name: "an API key",
    apply: (draft, random, { funded }) =>
      withKey(draft, `Bearer ${random.pick(funded)?.keys[random.pick(keyNames)]}`),
  },
  {
    name: "an invalid authorization header",
    apply: (draft, random) =>
      withKey(
        draft,
        random.pick([
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

/** Replace the id in the path. */
export const idMutations: readonly Mutation[] = [
  {
    name: "another owner's id",
    apply: (draft, random, { known }) => {
      const prefix = prefixIn(operations[draft.operationId].path);
      replaceId(draft, prefix === undefined ? undefined : known.pickAny(random, prefix));
    },
  },
  {
    name: "an id of another kind",
    apply: (draft, random, { known }) => replaceId(draft, known.pickAny(random)),
  },
  {
    name: "an id of no object",
    apply: (draft, random) =>
      replaceId(
        draft,
        `${random.pick(Object.values(idPrefixes))}_${random.pick(["01h455vb4pex5vsknk084sn02q", "7zzzzzzzzzzzzzzzzzzzzzzzzz", "8zzzzzzzzzzzzzzzzzzzzzzzzz", "0", "ilou"])}`,
      ),
  },
  {
    name: "hostile text as an id",
    apply: (draft, random) => replaceId(draft, escapeSome(random.pick(hostileTexts), random)),
  },
  {
    name: "a slightly changed id",
    apply: (draft, random) => {
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
      replaceId(draft, random.pick(forms));
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

/** Percent-encodes the text, or sometimes keeps its raw bytes, which may not be a valid path. */
export function escapeSome(text: string, random: SeededRandom): string {
  return random.chance(0.7)
    ? encodeURIComponent(text.toWellFormed())
    : asBytes(text).replaceAll(/[\0-\x20]/g, "");
}
