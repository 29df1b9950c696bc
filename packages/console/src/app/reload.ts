import { useEffect, useState } from "react";

/** Code that is gone for good must not reload the page for ever. */
const reloadEveryMs = 60_000;

/** A connection that broke once, as under load, needs no error: browsers remember the failure until a reload. */
export function mayReload(): boolean {
  const [navigation] = performance.getEntriesByType("navigation");
  const isReloaded = (navigation as PerformanceNavigationTiming | undefined)?.type === "reload";
  return navigator.onLine && (!isReloaded || performance.now() > reloadEveryMs);
}

/** Reloading fetches the code of the newest version. It must not end in the browser's error page. */
async function reloadIfReachable(): Promise<void> {
  await fetch(location.href, { method: "HEAD" });
  location.reload();
}

/** `isAutomatic` reloads at once, not only on request. */
export function useReload(isAutomatic = false) {
  const [isTrying, setIsTrying] = useState(isAutomatic);
  useEffect(() => {
    if (isTrying) reloadIfReachable().catch(() => setIsTrying(false));
  }, [isTrying]);
  return { isTrying, reload: () => setIsTrying(true) };
}
