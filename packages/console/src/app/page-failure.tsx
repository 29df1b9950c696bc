import { Button } from "#ui/button.tsx";
import { ErrorNotice } from "#ui/error-notice.tsx";
import { Page } from "#ui/page.tsx";

/** Shown when a page throws, or when its code fails to load. */
export function PageFailure({ error }: { readonly error: unknown }) {
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
