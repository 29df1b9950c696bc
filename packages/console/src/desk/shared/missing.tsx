import { Search } from "#ui/icons.ts";
import { Panel } from "#ui/panel.tsx";
import { EmptyState } from "#ui/states.tsx";

/** For a page whose id the service does not know. */
export function Missing({ what }: { readonly what: string }) {
  const noun = what.toLowerCase();
  return (
    <div role="status">
      <Panel>
        <EmptyState icon={<Search className="size-6" />} title={`${what} not found`}>
          No {noun} has the id in the address bar. Check the id, or search for the {noun}.
        </EmptyState>
      </Panel>
    </div>
  );
}
