import type { ErrorComponentProps } from "@tanstack/react-router";
import { useState } from "react";
import { Button } from "#ui/button.tsx";
import { ErrorNotice } from "#ui/error-notice.tsx";
import { WifiOff } from "#ui/icons.ts";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { EmptyState } from "#ui/states.tsx";
import { mayReload, useReload } from "./reload.ts";

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

function NotLoaded() {
  const [isAutomatic] = useState(mayReload);
  const { isTrying, reload } = useReload(isAutomatic);
  return (
    <Page title="This page could not be loaded">
      <Panel>
        <EmptyState
          icon={<WifiOff className="size-6" />}
          title={navigator.onLine ? "The service cannot be reached" : "You are offline"}
          action={
            <Button isPending={isTrying} onClick={reload}>
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
