import { useChange } from "#data/use-change.ts";
import { Button } from "#ui/button.tsx";
import { download } from "#ui/download.ts";
import { Form } from "#ui/form.tsx";
import { Panel } from "#ui/panel.tsx";
import { client } from "#account/data/client.ts";

export function ExportPanel() {
  const exporting = useChange(async () => {
    const document = await client.exportAccount();
    const name = `ironlease-${document.exportedAt.slice(0, 10)}.json`;
    download(name, "application/json", JSON.stringify(document, null, 2));
  });
  return (
    <Panel
      title="Export your data"
      description="Everything that the service stores about your account, as one JSON file without secrets."
    >
      <Form
        label="Export your data"
        error={exporting.error}
        onSubmit={() => exporting.mutate(undefined)}
      >
        <div>
          <Button type="submit" isPending={exporting.isPending}>
            Export data
          </Button>
        </div>
      </Form>
    </Panel>
  );
}
