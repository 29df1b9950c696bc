/** What each group of operations is for, in one sentence. */
const descriptions: Readonly<Record<string, string>> = {
  Access: "Registering, signing in and out, changing and recovering the password, and the account.",
  Sessions: "Where the account is signed in, and how to end it there.",
  "API keys": "Keys with which programs read the account. They never change anything.",
  "SSH keys": "Public keys to order servers with.",
  Catalogue: "What can be rented where, at which price, and how much of it is free.",
  Orders: "Renting servers at the service's own price.",
  Servers: "What is rented, and what an operator is asked to do to it.",
  Network: "Assigned addresses and their reverse DNS names.",
  Billing: "The balance, what moved it, deposits and withdrawals.",
  "Operator access": "Signing in to the desk, and the second factor.",
  Work: "The queue: what customers have asked for and somebody must do.",
  Inventory: "Machines, and the networks that addresses come from.",
  "Catalogue editing": "The whole catalogue as one document.",
  Accounts: "Customers, their money and their servers.",
  Oversight: "The front page, the audit, and the deposits of everybody.",
  Service: "The service itself: its health, and this interface as a document.",
};

export function tagDescription(tag: string): string {
  return descriptions[tag] ?? `Operations on ${tag}.`;
}
