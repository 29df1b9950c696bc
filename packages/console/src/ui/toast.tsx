import { useEffect, useState } from "react";
import { createStore, useStore } from "#data/store.ts";
import { IconButton } from "./button.tsx";
import { CircleCheck, X } from "./icons.ts";

interface Toast {
  readonly id: number;
  readonly text: string;
}

const shownForMs = 6_000;
const maxShown = 3;
const toasts = createStore<readonly Toast[]>([]);
let lastId = 0;

/**
 * Confirms a save in a few words: `toast("Label saved")`. Errors and anything that the user must act on
 * stay on the page instead.
 */
export function toast(text: string): void {
  lastId += 1;
  toasts.set([...toasts.get(), { id: lastId, text }].slice(-maxShown));
}

function dismiss(id: number): void {
  toasts.set(toasts.get().filter((one) => one.id !== id));
}

/** Shows the toasts. Part of the shell, because a live region must exist before its text does. */
export function ToastOutlet() {
  const shown = useStore(toasts);
  return (
    <div
      role="status"
      aria-label="Notifications"
      className="pointer-events-none fixed inset-x-4 bottom-4 z-50 flex flex-col items-center gap-2 sm:inset-x-auto sm:right-6 sm:bottom-6 sm:items-end"
    >
      {shown.map((one) => (
        <ToastCard key={one.id} toast={one} />
      ))}
    </div>
  );
}

/** Stays while the pointer or the focus is on it. */
function ToastCard({ toast: { id, text } }: { readonly toast: Toast }) {
  const [isHeld, setIsHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return undefined;
    const timer = setTimeout(() => dismiss(id), shownForMs);
    return () => clearTimeout(timer);
  }, [id, isHeld]);
  return (
    <div
      className="pointer-events-auto flex w-full max-w-sm items-center gap-3 rounded-lg border border-line bg-surface py-2 pr-2 pl-4 text-sm shadow-float sm:w-auto sm:min-w-72"
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
    >
      <CircleCheck aria-hidden className="size-4.5 shrink-0 text-good" />
      <p className="min-w-0 grow font-medium wrap-anywhere">{text}</p>
      <IconButton
        label="Dismiss"
        icon={<X aria-hidden className="size-4" />}
        onClick={() => dismiss(id)}
      />
    </div>
  );
}
