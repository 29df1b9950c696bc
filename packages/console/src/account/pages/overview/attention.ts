import type { ReadAccountSummaryAnswer, ServerDue } from "@ironlease/client";
import { accountRoutes, urlOf } from "#app/urls.ts";
import { moneyText } from "#ui/money-text.ts";

/** One thing that needs the customer, with the one action that helps. */
export interface AttentionItem {
  readonly tone: "bad" | "warn" | "info";
  readonly title: string;
  readonly text: string;
  readonly action: {
    readonly label: string;
    readonly to: string;
    readonly search?: Readonly<Record<string, string>>;
  };
}

type Summary = Pick<ReadAccountSummaryAnswer, "grace" | "quotes" | "lowBalance">;

interface Texts {
  /** "1 d 2 h" */
  readonly timeUntil: (at: string) => string;
  readonly nameOf: (server: ServerDue) => string;
}

/** The most urgent first. */
export function attentionItems(
  summary: Summary,
  unread: number,
  texts: Texts,
): readonly AttentionItem[] {
  return [
    graceItem(summary, texts),
    lowBalanceItem(summary),
    quoteItem(summary, texts),
    unreadItem(unread),
  ].filter((item) => item !== undefined);
}

function graceItem(
  { grace, lowBalance }: Summary,
  { timeUntil, nameOf }: Texts,
): AttentionItem | undefined {
  const { count, first } = grace;
  if (first === null) return undefined;
  const title =
    count === 1 ? "A server is in its grace period" : `${count} servers are in their grace period`;
  const text = `${nameOf(first)} is terminated in ${timeUntil(first.at)} unless its renewal of ${moneyText(first.usd)} is paid.`;
  // Without a low balance, renewal is off: only the server's page helps.
  const action = lowBalance === null ? serversAction(grace) : depositAction(lowBalance.missingUsd);
  return { tone: "bad", title, text, action };
}

function lowBalanceItem({ grace, lowBalance }: Summary): AttentionItem | undefined {
  // The grace period asks for the same deposit.
  if (lowBalance === null || grace.count > 0) return undefined;
  const { neededUsd, missingUsd } = lowBalance;
  return {
    tone: "warn",
    title: "Your balance is low",
    text: `Renewals in the next 3 days cost ${moneyText(neededUsd)}. You need ${moneyText(missingUsd)} more.`,
    action: depositAction(missingUsd),
  };
}

function quoteItem({ quotes }: Summary, { timeUntil, nameOf }: Texts): AttentionItem | undefined {
  const { count, first } = quotes;
  if (first === null) return undefined;
  return {
    tone: "info",
    title: count === 1 ? "A DDoS quote needs your answer" : `${count} DDoS quotes need your answer`,
    text: `${nameOf(first)}: ${moneyText(first.usd)} per term. Expires in ${timeUntil(first.at)}.`,
    action: { label: "View quote", to: urlOf(accountRoutes.server, { id: first.id }) },
  };
}

function unreadItem(unread: number): AttentionItem | undefined {
  if (unread === 0) return undefined;
  return {
    tone: "info",
    title: unread === 1 ? "1 unread message" : `${unread} unread messages`,
    text: "From the operators",
    action: { label: "Read messages", to: accountRoutes.messages },
  };
}

function depositAction(usd: number): AttentionItem["action"] {
  return {
    label: `Deposit ${moneyText(usd)}`,
    to: accountRoutes.deposit,
    search: { usd: usd.toFixed(2) },
  };
}

function serversAction({ count, first }: Summary["grace"]): AttentionItem["action"] {
  return count === 1 && first !== null
    ? { label: "View server", to: urlOf(accountRoutes.server, { id: first.id }) }
    : { label: "View servers", to: accountRoutes.servers };
}
