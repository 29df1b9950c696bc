import { LinkButton } from "#ui/button.tsx";
import { AccessFrame } from "./access-frame.tsx";

/** For unknown URLs, which the server answers with the app and status 404. */
export function NotFoundPage({ brandSuffix }: { readonly brandSuffix?: string | undefined }) {
  return (
    <AccessFrame
      title="Page not found"
      lead="Check the address. The page may have moved."
      brandSuffix={brandSuffix}
    >
      <LinkButton to="/">Go to the home page</LinkButton>
    </AccessFrame>
  );
}
