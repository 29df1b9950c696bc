import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createTestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { testCatalogue } from "#test/rental-service.ts";
import { saveCatalogue } from "#features/catalogue/save-catalogue.ts";
import { systemCall } from "#kernel/call.ts";
import { currentCatalogue } from "#kernel/catalogue.ts";
import { coreFor } from "./guarded-writes.ts";

forEachEngine((engine) => {
  describe("the core of one caller", () => {
    test("shares the parsed catalogue with every other caller", async (t) => {
      const testCore = await createTestCore(engine);
      t.after(() => testCore.dispose());
      const { core } = testCore;
      await saveCatalogue(core, systemCall, testCatalogue);
      const [ada, eve] = [coreFor({ id: "acc_ada" }, core), coreFor({ id: "acc_eve" }, core)];
      const first = await currentCatalogue(ada.db.read, ada);
      assert.equal(first.version, 1);
      assert.equal(await currentCatalogue(ada.db.read, ada), first);
      assert.equal(await currentCatalogue(eve.db.read, eve), first);
    });
  });
});
