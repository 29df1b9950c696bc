import { Button } from "#ui/button.tsx";
import { ErrorNotice } from "#ui/error-notice.tsx";
import { Page } from "#ui/page.tsx";

/** A page that could not be shown: a bug of ours, or its code could not be fetched. */
export function PageFailure({ error }: { readonly error: unknown }) {
  return (
    <Page title="This page could not be shown">
      <ErrorNotice
        error={error}
        actions={
          <Button size="small" onClick={() => location.reload()}>
            Load it again
          </Button>
        }
      />
    </Page>
  );
}
