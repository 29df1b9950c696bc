import { useNavigate } from "@tanstack/react-router";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { deskRoutes } from "#app/urls.ts";
import { OperatorSetup } from "./operator-setup.tsx";

export function SecondFactorPage() {
  const navigate = useNavigate();
  return (
    <Page
      title="Set up your second factor"
      crumbs={[{ to: deskRoutes.security, label: "Security" }]}
    >
      <Panel className="max-w-md">
        <OperatorSetup onDone={() => void navigate({ to: deskRoutes.security })} />
      </Panel>
    </Page>
  );
}
