import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { sealingWith } from "#test/bare-core.ts";
import { createTestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { claimedItem, withHardware } from "#test/hardware.ts";
import { controllerContext, findController } from "#kernel/controllers.ts";
import { resealControllers } from "./reseal-controllers.ts";

forEachEngine((engine) => {
  test("controllers' passwords are sealed again with a new key, and one with a lost key is named", async (t) => {
    const opened = await createTestCore(engine);
    t.after(() => opened.dispose());
    const [first, second, lost] = [randomBytes(32), randomBytes(32), randomBytes(32)];
    const withKeys = (...keys: readonly Buffer[]) =>
      withHardware({ ...opened.core, sealing: sealingWith(...keys) });
    const controller = { driver: "ipmi", address: "127.0.0.1:623", username: "u" } as const;
    const set = async (key: Buffer, credential: string) =>
      (await claimedItem(withKeys(key), { ...controller, credential }, "reboot")).machineId;
    const [kept, gone] = [await set(first, "a password"), await set(lost, "another")];

    const both = withKeys(second, first);
    assert.deepEqual(await resealControllers(both), { resealed: 1, lost: [gone] });
    const now = withKeys(second);
    assert.deepEqual(await resealControllers(now), { resealed: 0, lost: [gone] });
    const sealed = (await findController(now.db.read, kept))?.credential ?? "";
    assert.equal(await now.sealing.open(sealed, controllerContext(kept)), "a password");
    await assert.rejects(now.sealing.open(sealed, controllerContext(gone)));
  });
});
