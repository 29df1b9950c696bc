import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { CatalogueDocument } from "@ironlease/contract";
import { createTestCore, register, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { operatorCall } from "#test/operators.ts";
import { assertInvariantsHold, seedServer } from "#test/rental.ts";
import { testCatalogue } from "#test/rental-service.ts";
import { codeOf, fieldsOf, valueOf } from "#test/use-cases.ts";
import type { Core } from "#kernel/core.ts";
import type { OperatorCall } from "#kernel/call.ts";
import { editCatalogue } from "./edit-catalogue.ts";
import { readCatalogueDocument } from "./read-catalogue-document.ts";

const empty: CatalogueDocument = {
  regions: [],
  operatingSystems: [],
  configurations: [],
  discounts: [],
};

forEachEngine((engine) => {
  describe("editing the catalogue", () => {
    let testCore: TestCore;
    let core: Core;
    let admin: OperatorCall;
    before(async () => {
      testCore = await createTestCore(engine);
      ({ core } = testCore);
      admin = await operatorCall(core, "admin");
    });
    after(() => testCore.dispose());

    const edit = (document: unknown, ifMatch?: string, on = core) =>
      editCatalogue(on, admin, document, ifMatch);
    const named = (name: string): CatalogueDocument => ({
      ...testCatalogue,
      regions: testCatalogue.regions.map((region) => ({ ...region, name })),
    });
    const audited = async () => {
      const rows = core.db.read.selectFrom("audit").select(["actor", "ip_address"]);
      return rows.where("action", "=", "catalogue.save").orderBy("id").execute();
    };

    test("before the first save the catalogue is empty with etag 0, and saving it unchanged has no effect", async () => {
      const read = await readCatalogueDocument(core);
      assert.deepEqual(read, { document: empty, etag: '"0"' });
      assert.deepEqual(await valueOf(edit(read.document, read.etag)), read);
      assert.deepEqual(await audited(), []);
    });

    test("a saved document can be read and saved again, and a change gets the next etag", async () => {
      const { etag } = await valueOf(edit(testCatalogue, '"0"'));
      assert.equal(etag, '"1"');
      const read = await readCatalogueDocument(core);
      assert.deepEqual(read, { document: testCatalogue, etag });
      assert.deepEqual(await valueOf(edit(read.document, read.etag)), read);
      assert.deepEqual(await valueOf(edit({ $schema: "x", ...read.document })), read);
      const changed = await valueOf(edit(named("Elsewhere"), etag));
      assert.deepEqual(changed, { document: named("Elsewhere"), etag: '"2"' });
      assert.deepEqual(
        (await audited()).map((row) => [row.actor, row.ip_address]),
        [
          [admin.operator.operatorId, "192.0.2.9"],
          [admin.operator.operatorId, "192.0.2.9"],
        ],
      );
    });

    test("an outdated, weak or foreign etag is a conflict and changes nothing", async () => {
      const before = await readCatalogueDocument(core);
      for (const ifMatch of ['"1"', '"0", "1"', '"99"', `W/${before.etag}`, '"abc"']) {
        assert.equal(await codeOf(edit(named("Nowhere"), ifMatch)), "conflict", ifMatch);
      }
      assert.deepEqual(await readCatalogueDocument(core), before);
      let { etag } = before;
      for (const around of [(tag: string) => `"1", ${tag}`, () => "*"]) {
        ({ etag } = await valueOf(edit(named(`After ${etag}`), around(etag))));
      }
      assert.notEqual(etag, before.etag);
    });

    test("an invalid if-match is refused with its field name", async () => {
      const [field] = (await fieldsOf(edit(named("Nowhere"), "7"))) ?? [];
      assert.equal(field?.field, "if-match");
    });

    test("exactly one of several concurrent editors with the same etag succeeds", async () => {
      const other = await testCore.reopen();
      const { etag } = await readCatalogueDocument(core);
      const codes = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          codeOf(edit(named(`Editor ${index}`), etag, index % 2 === 0 ? core : other)),
        ),
      );
      assert.equal(codes.filter((code) => code === "ok").length, 1);
      assert.equal(codes.filter((code) => code === "conflict").length, 19);
      const { document } = await readCatalogueDocument(core);
      assert.equal(document.regions[0]?.name, `Editor ${codes.indexOf("ok")}`);
    });

    test("removing a configuration and a region in use leaves their machines and servers unchanged", async () => {
      const { accountId } = await register(core);
      const server = await seedServer(core, accountId);
      const rows = async () => ({
        servers: await core.db.read.selectFrom("servers").selectAll().execute(),
        machines: await core.db.read.selectFrom("machines").selectAll().execute(),
        subnets: await core.db.read.selectFrom("subnets").selectAll().execute(),
      });
      const before = await rows();
      await valueOf(edit(empty, "*"));
      assert.deepEqual(await rows(), before);
      assert.equal(before.servers[0]?.id, server.id);
      await valueOf(edit(testCatalogue));
      await assertInvariantsHold(core.db);
    });
  });
});
