import { limits } from "@ironlease/contract";
import { canonicalJson, type Json, type Signature, type StatementKey } from "@ironlease/statement";
import type { Core } from "./core.ts";
import { ok } from "./result.ts";
import { prepared, preparedOne } from "./sql/prepared.ts";

const publishedKey = preparedOne(["keyId"], (db, { keyId }: { keyId: string }) =>
  db.selectFrom("statement_keys").select("key_id").where("key_id", "=", keyId),
);

const publishedKeys = prepared([], (db) =>
  db
    .selectFrom("statement_keys")
    .select(["key_id as keyId", "public_key as x"])
    .orderBy("created_at", "desc")
    .orderBy("key_id")
    .limit(limits.statementKeys),
);

/** Every key that has ever signed, newest first, so that old statements stay verifiable. */
export async function readStatementKeys({ db }: Pick<Core, "db">): Promise<StatementKey[]> {
  const keys = await publishedKeys(db.read, {});
  return keys.map(({ keyId, x }) => ({ keyId, kty: "OKP", crv: "Ed25519", x }));
}

/** Publishes the public key before anything is signed with it. */
export async function publishStatementKey(core: Core): Promise<string> {
  const { keyId, x } = await core.statementSigning.publicKey();
  if ((await publishedKey(core.db.read, { keyId })) !== undefined) return keyId;
  const row = { key_id: keyId, public_key: x, created_at: core.clock.now() };
  await core.db.write(async (tx) => {
    await tx
      .insertInto("statement_keys")
      .values(row)
      .onConflict((conflict) => conflict.column("key_id").doNothing())
      .execute();
    return ok();
  });
  return keyId;
}

export async function signHead(core: Core, head: Json): Promise<Signature> {
  const keyId = await publishStatementKey(core);
  return { keyId, value: await core.statementSigning.sign(canonicalJson(head)) };
}
