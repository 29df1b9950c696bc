import { lazy, type ComponentType, type LazyExoticComponent } from "react";
import { Button } from "#ui/button.tsx";
import { Notice } from "#ui/notice.tsx";
import { useReload } from "./reload.ts";

/** A part of a page whose code is loaded when it is first shown. If that fails, the rest of the page stays. */
export function lazyPart<Props>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await load().catch(() => PartNotLoaded) }));
}

/** Reloads only on request, because the page may have a form that is being filled in. */
function PartNotLoaded() {
  const { isTrying, reload } = useReload();
  return (
    <Notice
      tone="bad"
      isAnnounced
      title="This part could not be loaded"
      actions={
        <Button size="small" isPending={isTrying} onClick={reload}>
          Reload
        </Button>
      }
    >
      <p>Check your connection, then reload the page.</p>
    </Notice>
  );
}
