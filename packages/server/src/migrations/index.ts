import type { MigrationStep } from "#ports/db.ts";
import { access } from "./0001-access.ts";
import { ledger } from "./0002-ledger.ts";
import { rental } from "./0003-rental.ts";
import { settlement } from "./0004-settlement.ts";
import { operators } from "./0005-operators.ts";
import { listChanges } from "./0006-list-changes.ts";
import { indexes } from "./0007-indexes.ts";
import { openActions } from "./0008-open-actions.ts";
import { customerVisibleState } from "./0009-customer-visible-state.ts";
import { chains } from "./0010-chains.ts";
import { rates } from "./0011-rates.ts";
import { creditedUnits } from "./0012-credited-units.ts";
import { payouts } from "./0013-payouts.ts";
import { threads } from "./0014-threads.ts";
import { outbox } from "./0015-outbox.ts";
import { notices } from "./0016-notices.ts";
import { ddosQuotes } from "./0017-ddos-quotes.ts";
import { sealedTexts } from "./0018-sealed-texts.ts";
import { contacts } from "./0019-contacts.ts";
import { reverseDns } from "./0020-reverse-dns.ts";
import { controllers } from "./0021-controllers.ts";
import { machineRecords } from "./0022-machine-records.ts";
import { delivery } from "./0023-delivery.ts";
import { guards } from "./0024-guards.ts";
import { ledgerChain } from "./0025-ledger-chain.ts";
import { statements } from "./0026-statements.ts";
import { liabilities } from "./0027-liabilities.ts";
import { secondFactors } from "./0028-second-factors.ts";
import { passkeys } from "./0029-passkeys.ts";
import { accountClosure } from "./0030-account-closure.ts";
import { depositsOfAnAddress } from "./0031-deposits-of-an-address.ts";
import { ledgerFilters } from "./0032-ledger-filters.ts";
import { operatorNetworks } from "./0033-operator-networks.ts";
import { reports } from "./0034-reports.ts";
import { desk } from "./0035-desk.ts";
import { endedServers } from "./0036-ended-servers.ts";
import { catalogueVersions } from "./0037-catalogue-versions.ts";
import { certificates } from "./0038-certificates.ts";
import { stockTotals } from "./0039-stock-totals.ts";
import { traces } from "./0040-traces.ts";
import { keptAddresses } from "./0041-kept-addresses.ts";
import { threadChanges } from "./0042-thread-changes.ts";
import { fewerIndexes } from "./0043-fewer-indexes.ts";

/** In order of application. A released step never changes. */
export const migrations: readonly MigrationStep[] = [
  access,
  ledger,
  rental,
  settlement,
  operators,
  listChanges,
  indexes,
  openActions,
  customerVisibleState,
  chains,
  rates,
  creditedUnits,
  payouts,
  threads,
  outbox,
  notices,
  ddosQuotes,
  sealedTexts,
  contacts,
  reverseDns,
  controllers,
  machineRecords,
  delivery,
  guards,
  ledgerChain,
  statements,
  liabilities,
  secondFactors,
  passkeys,
  accountClosure,
  depositsOfAnAddress,
  ledgerFilters,
  operatorNetworks,
  reports,
  desk,
  endedServers,
  catalogueVersions,
  certificates,
  stockTotals,
  traces,
  keptAddresses,
  threadChanges,
  fewerIndexes,
];
