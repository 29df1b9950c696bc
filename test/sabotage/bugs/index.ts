import type { PlantedBug } from "../planted-bug.ts";
import { accessBugs } from "./access.ts";
import { deskAndTimeBugs } from "./desk-and-time.ts";
import { durabilityBugs } from "./durability.ts";
import { moneyBugs } from "./money.ts";

export const plantedBugs: readonly PlantedBug[] = [
  ...moneyBugs,
  ...accessBugs,
  ...deskAndTimeBugs,
  ...durabilityBugs,
];
