import { useState } from "react";
import { tabStorage } from "#data/tab-storage.ts";

/** A request that this tab has sent and the service has recorded. No route tells what came of it. */
export interface Receipt {
  readonly id: string;
  readonly label: string;
  readonly at: string;
}

const most = 20;

/** The requests for one server that were sent from this tab, newest first. */
export function useReceipts(serverId: string): {
  readonly receipts: readonly Receipt[];
  readonly add: (receipt: Receipt) => void;
} {
  const place = `ironlease.receipts/${serverId}`;
  const [receipts, setReceipts] = useState(() => readReceipts(tabStorage.getItem(place)));
  const add = (receipt: Receipt) => {
    const others = receipts.filter(({ id }) => id !== receipt.id);
    const next = [receipt, ...others].slice(0, most);
    setReceipts(next);
    tabStorage.setItem(place, JSON.stringify(next));
  };
  return { receipts, add };
}

function readReceipts(text: string | null): readonly Receipt[] {
  try {
    const value: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(value) ? (value as readonly Receipt[]) : [];
  } catch {
    return [];
  }
}
