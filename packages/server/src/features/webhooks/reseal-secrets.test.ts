import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, test } from "node:test";
import { sealingWith, testClient } from "#test/bare-core.ts";
import { createTestCore, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { valueOf } from "#test/use-cases.ts";
import { subscribeUrl } from "#test/webhooks.ts";
import type { Core } from "#kernel/core.ts";
import { resealWebhookSecrets } from "./reseal-secrets.ts";
import { rotateSecret } from "./rotate-secret.ts";
import { secretContext } from "./webhook-record.ts";

forEachEngine((engine) => {
  let opened: TestCore;
  before(async () => {
    opened = await createTestCore(engine);
  });
  after(() => opened.dispose());

  test("webhook secrets are sealed again with a new key, and one with a lost key is counted", async () => {
    const [first, second, lost] = [randomBytes(32), randomBytes(32), randomBytes(32)];
    const withKeys = (...keys: readonly Buffer[]): Core => ({
      ...opened.core,
      sealing: sealingWith(...keys),
    });
    const old = withKeys(first);
    const url = "https://hooks.example.com/";
    const webhook = await subscribeUrl(old, url);
    const { accountId, id } = webhook;
    const rotated = await valueOf(rotateSecret(old, { accountId, client: testClient }, id));
    const other = await subscribeUrl(withKeys(lost), url);

    assert.deepEqual(await resealWebhookSecrets(withKeys(second, first)), {
      resealed: 2,
      lost: [other.id],
    });
    const now = withKeys(second);
    assert.deepEqual(await resealWebhookSecrets(now), { resealed: 0, lost: [other.id] });
    const row = await now.db.read
      .selectFrom("webhooks")
      .select(["secret", "previous_secret"])
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    const open = (sealed: string | null) => now.sealing.open(sealed ?? "", secretContext(id));
    assert.equal(await open(row.secret), rotated.secret);
    assert.equal(await open(row.previous_secret), webhook.secret);
    await assert.rejects(now.sealing.open(row.secret, secretContext("whk_other")));
  });
});
