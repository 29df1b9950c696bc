/** What each group of operations is for, in one sentence. */
const descriptions: Readonly<Record<string, string>> = {
  Access: "Registering, signing in and out, changing and recovering the password, and the account.",
  Sessions: "Where the account is signed in, and how to end it there.",
  "API keys": "Keys with which programs read the account. They never change anything.",
  "SSH keys": "Public keys to order servers with.",
  Service: "The service itself: its health, and this interface as a document.",
};

export function tagDescription(tag: string): string {
  return descriptions[tag] ?? `Operations on ${tag}.`;
}
