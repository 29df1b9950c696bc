import { useState } from "react";
import { useUsername } from "./session.ts";
import { tabStorage } from "./tab-storage.ts";

/** Text that survives a reload while it is being written. Never a secret. */
export function useDraft(name: string): readonly [string, (text: string) => void] {
  const username = useUsername();
  const key = `ironlease.draft/${username}/${name}`;
  const [text, setText] = useState(() => tabStorage.getItem(key) ?? "");
  const change = (next: string) => {
    setText(next);
    if (next === "") tabStorage.removeItem(key);
    else tabStorage.setItem(key, next);
  };
  return [text, change];
}
