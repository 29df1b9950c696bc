import { useQuery } from "@tanstack/react-query";
import { Badge } from "#ui/badge.tsx";
import { LinkButton } from "#ui/button.tsx";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { deskRoutes } from "#app/urls.ts";
import { reads } from "#desk/data/reads.ts";
import { OperatorPasskeys } from "./passkeys-panel.tsx";
import { PasswordPanel } from "./password-panel.tsx";

export function SecurityPage() {
  const { data: operator } = useQuery(reads.operator);
  const isOn = operator?.secondFactor === "on";
  return (
    <Page title="Security" lead="Your password, your second factor and your passkeys">
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <Panel
          title="Second factor"
          description="A code from another device, required at every sign-in"
        >
          {isOn ? (
            <div className="flex flex-col gap-3 text-sm">
              <Badge tone="good">On</Badge>
              <p className="text-quiet">
                Lost your device? Sign in with a recovery code and ask the administrator of this
                service to reset your access.
              </p>
            </div>
          ) : (
            <div className="flex flex-col items-start gap-4">
              <Badge tone="warn">Off</Badge>
              <LinkButton variant="primary" to={deskRoutes.secondFactor}>
                Set up
              </LinkButton>
            </div>
          )}
        </Panel>
        <PasswordPanel />
      </div>
      <OperatorPasskeys />
    </Page>
  );
}
