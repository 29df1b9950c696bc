import { useQuery } from "@tanstack/react-query";
import { Page } from "#ui/page.tsx";
import { Loaded } from "#ui/states.tsx";
import { reads } from "#desk/data/reads.ts";
import { useMay } from "#desk/data/use-permissions.ts";
import { CatalogueEditor } from "./catalogue-editor.tsx";

export function CataloguePage() {
  const version = useQuery(reads.catalogueVersion);
  const { may } = useMay();
  const mayEdit = may("replaceCatalogue");
  return (
    <Page
      title="Catalogue"
      lead={
        mayEdit
          ? "The whole catalogue as one document. Prices of living servers stay as they are."
          : "The whole catalogue as one document. The role admin may change it."
      }
    >
      <Loaded query={version}>
        {(current) => <CatalogueEditor current={current} mayEdit={mayEdit} />}
      </Loaded>
    </Page>
  );
}
