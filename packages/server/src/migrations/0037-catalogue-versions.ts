import type { MigrationStep } from "#ports/db.ts";
import { appendOnly } from "./append-only.ts";

/** Every saved catalogue, to compare with and to restore. What was replaced before is not known. */
export const catalogueVersions: MigrationStep = {
  name: "0037-catalogue-versions",
  statements: (dialect) => [
    `create table catalogue_versions (
       version ${dialect.integer} primary key,
       document text not null,
       saved_at ${dialect.integer} not null,
       saved_by text
     )${dialect.strict}`,
    `insert into catalogue_versions
       select version, document, updated_at, null from catalogues where version > 0`,
    ...appendOnly("catalogue_versions", dialect),
  ],
};
