import { WifiOff } from "#ui/icons.ts";
import { useSyncExternalStore } from "react";

function subscribe(listener: () => void): () => void {
  addEventListener("online", listener);
  addEventListener("offline", listener);
  return () => {
    removeEventListener("online", listener);
    removeEventListener("offline", listener);
  };
}

/** Warns while the browser is offline: data may be stale, and requests will fail. */
export function OfflineBar() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  return (
    <div role="status">
      {!isOnline && (
        <p className="flex items-center justify-center gap-2 bg-warn-soft px-4 py-2 text-sm font-medium text-warn">
          <WifiOff aria-hidden className="size-4" />
          You are offline. Data may be out of date, and changes cannot be saved.
        </p>
      )}
    </div>
  );
}
