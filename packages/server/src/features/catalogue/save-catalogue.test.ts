import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { CatalogueDocument } from "@ironlease/contract";
import { createTestCore, register, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { seedServer } from "#test/rental.ts";
import { currentCatalogue } from "#kernel/catalogue.ts";
import type { Result } from "#ports/result.ts";
import { saveCatalogue } from "./save-catalogue.ts";

const admin = { actor: "opr_admin", client: { ipAddress: "192.0.2.7", userAgent: "" } } as const;

function documentWith(monthlyUsd: number): CatalogueDocument {
  const offers = [{ regionId: "fra", weeklyUsd: 12, monthlyUsd }];
  const about = { name: "Metal S", cpu: "x", memoryGb: 32, storage: "x", bandwidth: "x" };
  return {
    regions: [{ id: "fra", name: "Frankfurt", country: "DE" }],
    operatingSystems: [{ id: "debian-13", name: "Debian 13", family: "linux" }],
    configurations: [{ id: "metal-s", ...about, offers }],
    discounts: [],
  };
}

const codeOf = (result: Result<unknown>) => (result.ok ? "ok" : result.refusal.code);

forEachEngine((engine) => {
  describe("saving the catalogue", () => {
    let testCore: TestCore;
    before(async () => {
      testCore = await createTestCore(engine);
    });
    after(() => testCore.dispose());

    const save = (document: unknown, ifVersion?: number | number[]) =>
      saveCatalogue(testCore.core, admin, document, ifVersion);
    const inForce = () => currentCatalogue(testCore.core.db.read, testCore.core);
    const auditRows = () =>
      testCore.core.db.read
        .selectFrom("audit")
        .select(["actor", "subject", "detail", "ip_address"])
        .where("action", "=", "catalogue.save")
        .orderBy("id")
        .execute();

    test("before the first save the catalogue is empty, and saving it unchanged has no effect", async () => {
      const empty = { regions: [], operatingSystems: [], configurations: [], discounts: [] };
      const unchanged = { ok: true, value: { version: 0, isChanged: false, document: empty } };
      for (const ifVersion of [undefined, 0, 0]) {
        assert.deepEqual(await save(empty, ifVersion), unchanged);
        const { version, document } = await inForce();
        assert.deepEqual([version, document], [0, empty]);
      }
      assert.deepEqual(await auditRows(), []);
    });

    test("concurrent first saves all succeed, each as its own version", async () => {
      const other = await testCore.reopen();
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          saveCatalogue(index % 2 === 0 ? testCore.core : other, admin, documentWith(index + 1)),
        ),
      );
      const versions = results.map((result) => (result.ok ? result.value.version : 0));
      assert.deepEqual(
        versions.toSorted((a, b) => a - b),
        Array.from({ length: 20 }, (_, index) => index + 1),
      );
      const { version, document } = await inForce();
      assert.equal(version, 20);
      assert.deepEqual(document, documentWith(versions.indexOf(20) + 1));
    });

    test("each change creates the next version, takes effect immediately and is audited", async () => {
      const { version } = await inForce();
      const audited = (await auditRows()).length;
      assert.deepEqual(await save(documentWith(55.5)), {
        ok: true,
        value: { version: version + 1, isChanged: true, document: documentWith(55.5) },
      });
      assert.deepEqual((await inForce()).document, documentWith(55.5));
      const rows = await auditRows();
      assert.equal(rows.length, audited + 1);
      assert.deepEqual(
        { ...rows.at(-1), detail: JSON.parse(rows.at(-1)!.detail) },
        {
          actor: "opr_admin",
          subject: "catalogue",
          ip_address: "192.0.2.7",
          detail: {
            version: version + 1,
            configurations: 1,
            regions: 1,
            operatingSystems: 1,
            discounts: 0,
          },
        },
      );
    });

    test("an equal document changes nothing, even with its fields in another order", async () => {
      await save(documentWith(60));
      const { version } = await inForce();
      const audited = (await auditRows()).length;
      const turned = JSON.parse(JSON.stringify(documentWith(60)), (_, value: unknown) =>
        typeof value === "object" && value !== null && !Array.isArray(value)
          ? Object.fromEntries(Object.entries(value).toReversed())
          : value,
      );
      for (const document of [documentWith(60), turned, { $schema: "x", ...documentWith(60) }]) {
        const value = { version, isChanged: false, document: documentWith(60) };
        assert.deepEqual(await save(document), { ok: true, value });
      }
      assert.equal((await auditRows()).length, audited);
    });

    test("an editor with an outdated version gets a conflict", async () => {
      const { version } = await inForce();
      assert.equal(codeOf(await save(documentWith(70), version)), "ok");
      assert.equal(codeOf(await save(documentWith(71), version)), "conflict");
      assert.equal(codeOf(await save(documentWith(71), version + 2)), "conflict");
      assert.deepEqual((await inForce()).document, documentWith(70));
    });

    test("any of several versions may be the current one", async () => {
      const { version } = await inForce();
      assert.equal(codeOf(await save(documentWith(72), [version + 1, version])), "ok");
      assert.equal(codeOf(await save(documentWith(73), [version, version + 2])), "conflict");
      assert.equal(codeOf(await save(documentWith(73), [])), "conflict");
    });

    test("exactly one of several concurrent editors with the same version succeeds", async () => {
      const { version } = await inForce();
      const other = await testCore.reopen();
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          saveCatalogue(
            index % 2 === 0 ? testCore.core : other,
            admin,
            documentWith(100 + index),
            version,
          ),
        ),
      );
      const codes = results.map(codeOf);
      assert.equal(codes.filter((code) => code === "ok").length, 1);
      assert.equal(codes.filter((code) => code === "conflict").length, 19);
      assert.equal((await inForce()).version, version + 1);
      assert.deepEqual((await inForce()).document, documentWith(100 + codes.indexOf("ok")));
    });

    test("a faulty document is refused with its fields, and nothing is saved", async () => {
      const before = await inForce();
      const document = documentWith(80.005);
      const result = await save({ ...document, regions: [] });
      assert.equal(codeOf(result), "validation_failed");
      assert.deepEqual(result.ok ? [] : result.refusal.fields?.map(({ field }) => field), [
        "configurations.0.offers.0.regionId",
        "configurations.0.offers.0.monthlyUsd",
      ]);
      assert.equal((await inForce()).version, before.version);
    });

    test("current servers keep their prices", async () => {
      const { core } = testCore;
      const { accountId } = await register(core);
      const server = await seedServer(core, accountId, { priceCents: 3_900 });
      await save(documentWith(500));
      const { price_cents } = await core.db.read
        .selectFrom("servers")
        .select("price_cents")
        .where("id", "=", server.id)
        .executeTakeFirstOrThrow();
      assert.equal(price_cents, 3_900);
    });
  });
});
