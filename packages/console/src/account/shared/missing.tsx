import { LinkButton } from "#ui/button.tsx";
import { MissingPanel } from "#ui/missing-panel.tsx";

/** For a page whose id belongs to nothing of this account. */
export function Missing({
  what,
  list,
  linkText,
}: {
  readonly what: string;
  /** The page that lists those that there are. */
  readonly list: string;
  readonly linkText: string;
}) {
  return (
    <MissingPanel what={what} action={<LinkButton to={list}>{linkText}</LinkButton>}>
      Nothing in this account has the id in the address bar.
    </MissingPanel>
  );
}
