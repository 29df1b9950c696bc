import { LinkButton } from "#ui/button.tsx";
import { Page } from "#ui/page.tsx";

export function NotFoundPage() {
  return (
    <Page title="Page not found" lead="Check the address. The page may have moved.">
      <div>
        <LinkButton to="/">Go to the home page</LinkButton>
      </div>
    </Page>
  );
}
