const descriptions: Readonly<Record<string, string>> = {
  Access: "Register, sign in and out, change or recover the password, and read the account.",
  Sessions: "List and revoke the active sessions of the account.",
  "API keys": "Read-only keys for programs.",
  "SSH keys": "Public keys to use in orders.",
  Contact: "The e-mail address that the service writes to, and the kinds of mail.",
  Catalogue: "Configurations, regions and operating systems, with prices and availability.",
  Orders: "Order servers at the catalogue price.",
  Servers: "Rented servers and the hardware actions requested for them.",
  Network: "Assigned addresses and their reverse DNS names.",
  Billing: "The ledger, deposits and withdrawals.",
  Messages: "Threads between customers and operators, with the outcome of requests.",
  Webhooks: "Events posted to an endpoint of yours, signed, with a log of deliveries.",
  "Operator access": "Sign in as an operator and set up the second factor.",
  Work: "The queue of work items that operators carry out.",
  Inventory: "Machines, and the subnets that addresses come from.",
  "Catalogue editing": "Read and replace the catalogue as one document.",
  Accounts: "Customer accounts, their balances and their servers.",
  Payouts: "Transactions that pay withdrawals, prepared without keys and signed elsewhere.",
  Oversight: "The overview, the audit log, and the deposits of all accounts.",
  Service: "Health and the OpenAPI document.",
};

export function tagDescription(tag: string): string {
  return descriptions[tag] ?? `Operations on ${tag}.`;
}
