import type { CatalogueDocument } from "@ironlease/contract";
import { audit } from "#kernel/audit.ts";
import type { Call, Step } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import type { Tx } from "#ports/db.ts";
import { ok, refuse, type Result } from "#ports/result.ts";
import { checkCatalogue } from "./check-catalogue.ts";

export interface SavedCatalogue {
  readonly version: number;
  /** False when that very document was in force already. */
  readonly isChanged: boolean;
  readonly document: CatalogueDocument;
}

/** One version, or any of several. */
export type IfVersion = number | readonly number[] | undefined;

/**
 * Puts a document in force as the whole catalogue. With `ifVersion`, only if that is the version
 * still in force: of two people who edit at once the second is told, and overwrites nothing unseen.
 * Servers keep the price they were ordered for, since it is stored with them. What the document no
 * longer has is no longer sold: machines, subnets and servers of it stay, renew and can be reclaimed,
 * and are sold again when it is back.
 */
export async function saveCatalogue(
  core: Core,
  call: Call,
  document: unknown,
  ifVersion?: IfVersion,
): Promise<Result<SavedCatalogue>> {
  const checked = checkCatalogue(document);
  if (!checked.ok) {
    const fields = checked.faults.map(({ path, message }) => ({
      field: path.join(".") || "body",
      message,
    }));
    return refuse("validation_failed", { fields });
  }
  return core.db.write((tx) => replaceCatalogue({ tx, core, call }, checked.document, ifVersion));
}

/** The same as a part of a larger transaction, for a document that has been checked. */
export async function replaceCatalogue(
  step: Step,
  document: CatalogueDocument,
  ifVersion?: IfVersion,
): Promise<Result<SavedCatalogue>> {
  const { tx, core } = step;
  const text = JSON.stringify(inOrder(document));
  const present = await lockCatalogue(tx, core.clock.now());
  if (ifVersion !== undefined && ![ifVersion].flat().includes(present.version)) {
    return refuse("conflict", {
      message: "The catalogue has changed since it was read. Read it again before you save.",
    });
  }
  if (present.document === text) {
    return ok({ version: present.version, isChanged: false, document });
  }

  const version = present.version + 1;
  await tx
    .updateTable("catalogues")
    .set({ version, document: text, updated_at: core.clock.now() })
    .where("id", "=", 1)
    .execute();
  await audit(step, "catalogue.save", "catalogue", {
    version,
    configurations: document.configurations.length,
    regions: document.regions.length,
    operatingSystems: document.operatingSystems.length,
    discounts: document.discounts.length,
  });
  return ok({ version, isChanged: true, document });
}

const nothing = JSON.stringify(
  inOrder({ regions: [], operatingSystems: [], configurations: [], discounts: [] }),
);

/**
 * Holds the catalogue's row until the transaction ends. The first save finds none, so it makes one,
 * with what is read where there is none: whoever does the same at the same time waits for it there.
 */
async function lockCatalogue(
  tx: Tx,
  now: number,
): Promise<{ readonly version: number; readonly document: string }> {
  await tx
    .insertInto("catalogues")
    .values({ id: 1, version: 0, document: nothing, updated_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return tx
    .selectFrom("catalogues")
    .select(["version", "document"])
    .where("id", "=", 1)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

/** Fields in one order, so that the same catalogue is the same text however it was written. */
function inOrder({
  regions,
  operatingSystems,
  configurations,
  discounts,
}: CatalogueDocument): CatalogueDocument {
  return {
    regions: regions.map(({ id, name, country }) => ({ id, name, country })),
    operatingSystems: operatingSystems.map(({ id, name, family }) => ({ id, name, family })),
    configurations: configurations.map(
      ({ id, name, cpu, memoryGb, storage, bandwidth, offers }) => ({
        ...{ id, name, cpu, memoryGb, storage, bandwidth },
        offers: offers.map(({ regionId, weeklyUsd, monthlyUsd }) => ({
          ...{ regionId, weeklyUsd, monthlyUsd },
        })),
      }),
    ),
    discounts: discounts.map(({ minQuantity, percent }) => ({ minQuantity, percent })),
  };
}
