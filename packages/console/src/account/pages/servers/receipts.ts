import { useState } from "react";
import { tabStorage } from "#data/tab-storage.ts";

/** A request sent from this tab. The operator reports its outcome in the server's thread. */
export interface Receipt {
  readonly id: string;
  readonly label: string;
  readonly at: string;
}

const maxReceipts = 20;

/** The requests sent from this tab for one server, newest first. */
export function useReceipts(serverId: string): {
  readonly receipts: readonly Receipt[];
  readonly add: (receipt: Receipt) => void;
} {
  const key = `ironlease.receipts/${serverId}`;
  const [receipts, setReceipts] = useState(() => readReceipts(tabStorage.getItem(key)));
  const add = (receipt: Receipt) => {
    const others = receipts.filter(({ id }) => id !== receipt.id);
    const next = [receipt, ...others].slice(0, maxReceipts);
    setReceipts(next);
    tabStorage.setItem(key, JSON.stringify(next));
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
