export { brandFile, type BrandFile } from "./brand-file.ts";
export { catalogueDocument, type CatalogueDocument } from "./catalogue-document.ts";
export { cookieNames, type CookieNames } from "./cookies.ts";
export { dnsFile, type DnsFile } from "./dns-file.ts";
export { errors, type ErrorBody, type ErrorCode, type FieldError } from "./errors.ts";
export { eventTypes, type EventType } from "./events.ts";
export { idPrefixes, type IdKind } from "./ids.ts";
export { limits, rateLimits, type RateLimitName } from "./limits.ts";
export {
  centsFromUsd,
  maxCents,
  rateFromUnits,
  rateUnits,
  usdFromCents,
  usdText,
} from "./money.ts";
export {
  errorsOf,
  isChange,
  roles,
  scopes,
  type Access,
  type AnswerOf,
  type BodyOf,
  type Idempotency,
  type Operation,
  type ParametersOf,
  type QueryOf,
  type Role,
  type Scope,
} from "./operation.ts";
export {
  accountOperations,
  operations,
  operatorOperations,
  type AccountOperationId,
  type OperationId,
  type Operations,
  type OperatorOperationId,
} from "./operations/index.ts";
export {
  bitcoinChainEntry,
  chainKinds,
  ethereumChainEntry,
  moneroChainEntry,
  rateSourceNames,
  rateSources,
  settlementFile,
  type BitcoinChainEntry,
  type ChainEntry,
  type EthereumChainEntry,
  type MoneroChainEntry,
  type RatesEntry,
  type SettlementFile,
} from "./settlement-file.ts";
export { mailKinds, type SubscribedMailKind } from "./operations/contact.ts";
export { assets, settlementModes, type Asset, type SettlementMode } from "./operations/deposits.ts";
export { ledgerTypes } from "./operations/ledger.ts";
export { withdrawalRange } from "./operations/withdrawals.ts";
export { terms } from "./operations/catalogue.ts";
export { actionStates, serverActions } from "./operations/servers.ts";
export { ddosModes, serverStates } from "./server-fields.ts";
export { secondFactorStates } from "./operations/operator/operators.ts";
export { machineStates } from "./operations/operator/machines.ts";
export { searchKinds, searchMatches } from "./operations/operator/search.ts";
export { quoteRule } from "./operations/operator/work.ts";
export { workKinds, workStates } from "./work-fields.ts";
export { checklistKinds } from "./operations/operator/checklists.ts";
