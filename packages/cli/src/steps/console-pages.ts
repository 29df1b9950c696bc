/** The console's pages, by the word that users type. */
export const pages: Readonly<Record<string, string>> = {
  overview: "/",
  order: "/order",
  servers: "/servers",
  network: "/network",
  billing: "/billing",
  deposit: "/billing/deposit",
  withdraw: "/billing/withdraw",
  messages: "/messages",
  webhooks: "/webhooks",
  keys: "/keys",
  security: "/security",
  activity: "/activity",
};
