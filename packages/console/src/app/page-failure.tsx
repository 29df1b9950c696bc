import type { ErrorComponentProps } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { Button } from "#ui/button.tsx";
import { ErrorNotice } from "#ui/error-notice.tsx";
import { WifiOff } from "#ui/icons.ts";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { EmptyState } from "#ui/states.tsx";

/** The code of a page could not be loaded: the browser is offline, or an upgrade has replaced the code. */
export class PageNotLoaded extends Error {
  override readonly name = "PageNotLoaded";

  constructor(cause: unknown) {
    super("The page could not be loaded.", { cause });
  }
}

/** Shown inside the shell when a page throws, or when its code fails to load. */
export function PageFailure({ error }: ErrorComponentProps) {
  if (error instanceof PageNotLoaded) return <NotLoaded />;
  return (
    <Page title="This page failed to load">
      <ErrorNotice
        error={error}
        actions={
          <Button size="small" onClick={() => location.reload()}>
            Reload
          </Button>
        }
      />
    </Page>
  );
}

/** Code that is gone for good must not reload the page for ever. */
const reloadEveryMs = 60_000;

/** A connection that broke once, as under load, needs no error: browsers remember the failure until a reload. */
function mayReload(): boolean {
  const [navigation] = performance.getEntriesByType("navigation");
  const isReloaded = (navigation as PerformanceNavigationTiming | undefined)?.type === "reload";
  return navigator.onLine && (!isReloaded || performance.now() > reloadEveryMs);
}

/** Reloading fetches the code of the newest version. It must not end in the browser's error page. */
async function reloadIfReachable(): Promise<void> {
  await fetch(location.href, { method: "HEAD" });
  location.reload();
}

function NotLoaded() {
  const [isAutomatic] = useState(mayReload);
  const [isTrying, setIsTrying] = useState(isAutomatic);
  useEffect(() => {
    if (isAutomatic) reloadIfReachable().catch(() => setIsTrying(false));
  }, [isAutomatic]);
  const retry = () => {
    setIsTrying(true);
    reloadIfReachable().catch(() => setIsTrying(false));
  };
  return (
    <Page title="This page could not be loaded">
      <Panel>
        <EmptyState
          icon={<WifiOff className="size-6" />}
          title={navigator.onLine ? "The service cannot be reached" : "You are offline"}
          action={
            <Button isPending={isTrying} onClick={retry}>
              Retry
            </Button>
          }
        >
          A page that you have not opened yet needs a connection.
        </EmptyState>
      </Panel>
    </Page>
  );
}
