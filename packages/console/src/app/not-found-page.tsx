import { LinkButton } from "#ui/button.tsx";
import { Page } from "#ui/page.tsx";

export function NotFoundPage() {
  return (
    <Page title="There is no such page" lead="The address may be mistyped, or from another time.">
      <div>
        <LinkButton to="/">Go to the front page</LinkButton>
      </div>
    </Page>
  );
}
