import { useQuery } from "@tanstack/react-query";
import { Page } from "#ui/page.tsx";
import { Loaded } from "#ui/states.tsx";
import { reads } from "#desk/data/reads.ts";
import { usePermissions } from "#desk/data/use-permissions.ts";
import { CatalogueEditor } from "./catalogue-editor.tsx";

export function CataloguePage() {
  const version = useQuery(reads.catalogueVersion);
  const { can } = usePermissions();
  const canEdit = can("replaceCatalogue");
  return (
    <Page
      title="Catalogue"
      lead={
        canEdit
          ? "What customers can order, and at what price. Existing servers keep their prices."
          : "What customers can order, and at what price. Only admins can change it."
      }
    >
      <Loaded query={version}>
        {(current) => <CatalogueEditor current={current} canEdit={canEdit} />}
      </Loaded>
    </Page>
  );
}
