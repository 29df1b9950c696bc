/** The URLs of the account pages. The server serves the app at these paths only. */
export const accountRoutes = {
  overview: "/",
  signIn: "/sign-in",
  register: "/register",
  recover: "/recover",
  order: "/order",
  reviewOrder: "/order/review",
  placedOrder: "/order/placed/$id",
  servers: "/servers",
  server: "/servers/$id",
  network: "/network",
  billing: "/billing",
  receipt: "/billing/entries/$id",
  statements: "/billing/statements",
  deposit: "/billing/deposit",
  depositAddress: "/billing/deposit/$id",
  withdraw: "/billing/withdraw",
  messages: "/messages",
  newMessage: "/messages/new",
  thread: "/messages/$id",
  webhooks: "/webhooks",
  webhook: "/webhooks/$id",
  keys: "/keys",
  security: "/security",
  secondFactor: "/security/second-factor",
  activity: "/activity",
} as const;

/** The URLs of the desk, which has its own listener. */
export const deskRoutes = {
  overview: "/",
  signIn: "/sign-in",
  work: "/work",
  workItem: "/work/$id",
  checklists: "/checklists",
  withdrawals: "/withdrawals",
  payouts: "/payouts",
  payout: "/payouts/$id",
  messages: "/messages",
  newMessage: "/messages/new",
  thread: "/messages/$id",
  savedReplies: "/saved-replies",
  notices: "/notices",
  accounts: "/accounts",
  account: "/accounts/$id",
  server: "/servers/$id",
  machines: "/machines",
  importMachines: "/machines/import",
  machineLabels: "/machines/labels",
  machine: "/machines/$id",
  subnets: "/subnets",
  reverseDns: "/reverse-dns",
  catalogue: "/catalogue",
  deposits: "/deposits",
  settlement: "/settlement",
  reports: "/reports",
  audit: "/audit",
  operators: "/operators",
  security: "/security",
  secondFactor: "/security/second-factor",
} as const;

/** The API reference, which the server renders itself. */
export const referenceUrl = "/docs";

type Parameters<Path extends string> = Path extends `${string}$${infer Name}/${infer Rest}`
  ? Record<Name, string> & Parameters<Rest>
  : Path extends `${string}$${infer Name}`
    ? Record<Name, string>
    : unknown;

/** Fills in a path: `urlOf(accountRoutes.server, { id })`. */
export function urlOf<Path extends string>(path: Path, parameters: Parameters<Path>): string {
  const values = parameters as Readonly<Record<string, string>>;
  return path.replaceAll(/\$(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
}
