import { useState } from "react";
import { useUsername } from "./session.ts";
import { tabStorage } from "./tab-storage.ts";

/** Text that is kept while it is being written, so that a reload does not lose it. Never a secret. */
export function useDraft(name: string): readonly [string, (text: string) => void] {
  const username = useUsername();
  const place = `ironlease.draft/${username}/${name}`;
  const [text, setText] = useState(() => tabStorage.getItem(place) ?? "");
  const change = (next: string) => {
    setText(next);
    if (next === "") tabStorage.removeItem(place);
    else tabStorage.setItem(place, next);
  };
  return [text, change];
}
