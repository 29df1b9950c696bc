import { MissingPanel } from "#ui/missing-panel.tsx";

/** For a page whose id the service does not know. */
export function Missing({ what }: { readonly what: string }) {
  const noun = what.toLowerCase();
  return (
    <MissingPanel what={what}>
      No {noun} has the id in the address bar. Check the id, or search for the {noun}.
    </MissingPanel>
  );
}
