import type { MigrationStep } from "../ports/db.ts";
import { access } from "./0001-access.ts";

/** In the order in which they are applied. A step that has been released never changes. */
export const migrations: readonly MigrationStep[] = [access];
