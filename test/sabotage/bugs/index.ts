import type { PlantedBug } from "../planted-bug.ts";
import { accessBugs } from "./access.ts";
import { chainBugs } from "./chains.ts";
import { workAndRenewalBugs } from "./work-and-renewals.ts";
import { closureBugs } from "./closure.ts";
import { conversationBugs } from "./conversation.ts";
import { deliveryBugs } from "./delivery.ts";
import { durabilityBugs } from "./durability.ts";
import { guardBugs } from "./guards.ts";
import { passkeyBugs } from "./passkeys.ts";
import { hardwareBugs } from "./hardware.ts";
import { liabilityBugs } from "./liabilities.ts";
import { mailBugs } from "./mail.ts";
import { moneroBugs } from "./monero.ts";
import { moneyBugs } from "./money.ts";
import { payoutBugs } from "./payouts.ts";
import { quoteBugs } from "./quotes.ts";
import { reverseDnsBugs } from "./reverse-dns.ts";
import { statementBugs } from "./statements.ts";
import { webhookBugs } from "./webhooks.ts";

export const plantedBugs: readonly PlantedBug[] = [
  ...moneyBugs,
  ...statementBugs,
  ...liabilityBugs,
  ...payoutBugs,
  ...quoteBugs,
  ...moneroBugs,
  ...accessBugs,
  ...guardBugs,
  ...closureBugs,
  ...passkeyBugs,
  ...workAndRenewalBugs,
  ...deliveryBugs,
  ...hardwareBugs,
  ...reverseDnsBugs,
  ...conversationBugs,
  ...mailBugs,
  ...webhookBugs,
  ...durabilityBugs,
  ...chainBugs,
];
