import type { WorkItem } from "@ironlease/client/operator";
import { sentenceCase } from "#ui/sentence-case.ts";

type Detail = WorkItem["detail"];

/** What an operator needs to deliver a server. */
export type Delivery = NonNullable<WorkItem["delivery"]>;

/** A non-empty string field of the detail. */
export function textOf(detail: Detail, name: string): string | undefined {
  const value = detail[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A missing amount becomes NaN, so that it never looks like a small one. */
export function withdrawalOf({ detail }: Pick<WorkItem, "detail">) {
  const usd = detail["usd"];
  return {
    usd: typeof usd === "number" ? usd : Number.NaN,
    asset: textOf(detail, "asset") ?? "",
    destination: textOf(detail, "destination") ?? "",
    /** In whole coins, fixed while the item is claimed. */
    amount: textOf(detail, "amount"),
    /** USD per coin. */
    rate: textOf(detail, "rate"),
    /** Why a claimed item has no amount. */
    amountError: textOf(detail, "amountError"),
  };
}

/** The quote for a request for ADVANCED. Undefined before an operator offers one. */
export function quoteOf({ detail }: Pick<WorkItem, "detail">) {
  const usd = detail["quoteUsd"];
  if (typeof usd !== "number") return undefined;
  const [expiresAt, acceptedAt] = ["quoteExpiresAt", "quoteAcceptedAt"].map((name) =>
    textOf(detail, name),
  );
  return { usd, expiresAt, acceptedAt };
}

const actionWords: Readonly<Record<string, string>> = {
  reboot: "Reboot",
  power_off: "Power off",
  reinstall: "Reinstall",
  mount_iso: "Mount ISO",
  kvm: "KVM access",
  rotate_root_password: "New root password",
};

export function actionWord(action: string): string {
  return actionWords[action] ?? action.replaceAll("_", " ");
}

/** The origin of an item that an operator, not a customer, requested. */
export function operatorRequest(detail: Detail): string {
  return textOf(detail, "action") === "power_off"
    ? "An operator, to suspend the server"
    : "An operator, to resume the server";
}

/** One line for the queue. */
export function summaryOf({ kind, detail, assetTag }: WorkItem): string {
  const hostname = textOf(detail, "hostname") ?? assetTag ?? "";
  switch (kind) {
    case "PROVISION":
      return [textOf(detail, "configId"), textOf(detail, "regionId"), textOf(detail, "osId")]
        .filter((part) => part !== undefined)
        .join(" · ");
    case "SERVER_ACTION":
      return `${actionWord(textOf(detail, "action") ?? "")} · ${hostname}`;
    case "WITHDRAWAL": {
      const { asset, destination } = withdrawalOf({ detail });
      return `${asset} to ${destination}`;
    }
    case "DDOS":
      return `${sentenceCase(textOf(detail, "mode") ?? "")} · ${hostname}`;
    case "RECLAIM":
      return [hostname, textOf(detail, "regionId") ?? ""].filter((part) => part !== "").join(" · ");
  }
}
