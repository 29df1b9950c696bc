import { readFileSync } from "node:fs";
import type { CatalogueDocument } from "@ironlease/contract";
import { checkCatalogue } from "#features/catalogue/check-catalogue.ts";
import { replaceCatalogue } from "#features/catalogue/save-catalogue.ts";
import { currentCatalogue } from "#kernel/catalogue.ts";
import { systemCall, type Step } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { addMachines, type NewMachine } from "#kernel/machine-intake.ts";
import { addSubnet } from "#kernel/subnets.ts";
import type { Result } from "#ports/result.ts";
import { ok } from "#kernel/result.ts";

/** Number of machines per configuration, in each region that offers it. */
const machinesPerOffer: Readonly<Record<string, number>> = {
  "metal-s": 40,
  "metal-m": 24,
  "metal-l": 16,
  "metal-xl": 8,
  "storage-l": 12,
  "memory-xl": 8,
  "gpu-l": 8,
};

/**
 * Documentation ranges (RFC 5737, RFC 3849), so that traffic to an address of the preview reaches no one.
 * Each region has more addresses than machines.
 */
const subnetsByRegion: Readonly<Record<string, readonly string[]>> = {
  fra: ["203.0.113.0/24", "2001:db8:1000::/48"],
  ams: ["192.0.2.0/25", "2001:db8:2000::/48"],
  iad: ["192.0.2.128/25", "2001:db8:3000::/48"],
  lax: ["198.51.100.0/25", "2001:db8:4000::/48"],
  sin: ["198.51.100.128/25", "2001:db8:5000::/48"],
};

/**
 * Seeds the demo data in one transaction, unless a catalogue was ever saved. If two processes start at
 * once, one finds the data that the other wrote.
 */
export async function seedDemo(core: Core): Promise<void> {
  if (await hasCatalogue(core)) return;
  const document = readDemoCatalogue();
  const seeded = await core.db.write((tx) => seed({ tx, core, call: systemCall }, document));
  if (!seeded.ok && !(await hasCatalogue(core))) {
    throw new Error(
      `The demo data could not be added: ${seeded.refusal.message ?? seeded.refusal.code}`,
    );
  }
}

async function hasCatalogue(core: Core): Promise<boolean> {
  return (await currentCatalogue(core.db.read, core)).version > 0;
}

function readDemoCatalogue(): CatalogueDocument {
  const text = readFileSync(new URL("demo-catalogue.json", import.meta.url), "utf8");
  const checked = checkCatalogue(JSON.parse(text));
  if (!checked.ok) throw new Error("The demo catalogue is not valid.");
  return checked.document;
}

async function seed(step: Step, document: CatalogueDocument): Promise<Result<void>> {
  const saved = await replaceCatalogue(step, document, neverSaved);
  if (!saved.ok) return saved;
  const machines = await addMachines(step, machinesFor(document));
  if (!machines.ok) return machines;
  for (const [regionId, cidrs] of Object.entries(subnetsByRegion)) {
    for (const cidr of cidrs) {
      const added = await addSubnet(step, { regionId, cidr });
      if (!added.ok) return added;
    }
  }
  return ok();
}

const neverSaved = 0;

/** Asset tags such as FRA-METAL-S-001. */
function machinesFor({ configurations }: CatalogueDocument): readonly NewMachine[] {
  return configurations.flatMap(({ id: configId, offers }) =>
    offers.flatMap(({ regionId }) =>
      Array.from({ length: machinesPerOffer[configId] ?? 0 }, (_, index) => ({
        assetTag: `${regionId}-${configId}-${String(index + 1).padStart(3, "0")}`.toUpperCase(),
        configId,
        regionId,
      })),
    ),
  );
}
