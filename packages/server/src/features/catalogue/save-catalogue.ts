import type { CatalogueDocument } from "@ironlease/contract";
import { audit } from "#kernel/audit.ts";
import { actorOf, type Call, type Step } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { isoTime } from "#kernel/iso-time.ts";
import type { Tx } from "#ports/db.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";
import { checkCatalogue } from "./check-catalogue.ts";

export interface SavedCatalogue {
  readonly version: number;
  /** False when the same document was already saved. */
  readonly isChanged: boolean;
  readonly document: CatalogueDocument;
}

/** One version, or any of several. */
export type IfVersion = number | readonly number[] | undefined;

/**
 * Replaces the whole catalogue. With `ifVersion`, only if that version is current, so that the second of two concurrent
 * editors gets a conflict instead of overwriting the first. Servers keep the price they were ordered at. Machines,
 * subnets and servers of a removed configuration or region stay and renew, but nothing new is sold there until it
 * returns.
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

/** Like `saveCatalogue`, within a larger transaction and for a checked document. */
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
      message: "The catalogue changed after you read it. Read it again before you save.",
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
  await tx
    .insertInto("catalogue_versions")
    .values({
      version,
      document: text,
      saved_at: core.clock.now(),
      saved_by: actorOf(step.call),
    })
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
 * Locks the catalogue's row. The first save inserts an empty one, so that concurrent first saves wait for each other.
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

/** Puts fields in a fixed order, so that equal catalogues have equal text. */
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
        id,
        name,
        cpu,
        memoryGb,
        storage,
        bandwidth,
        offers: offers.map(({ regionId, weeklyUsd, monthlyUsd, hidden, scheduledPrices = [] }) => ({
          ...{ regionId, weeklyUsd, monthlyUsd },
          ...(hidden === true && { hidden }),
          ...(scheduledPrices.length > 0 && {
            scheduledPrices: scheduledPrices.map((price) => ({
              from: isoTime(Date.parse(price.from)),
              weeklyUsd: price.weeklyUsd,
              monthlyUsd: price.monthlyUsd,
            })),
          }),
        })),
      }),
    ),
    discounts: discounts.map(({ minQuantity, percent }) => ({ minQuantity, percent })),
  };
}
