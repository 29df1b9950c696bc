import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { PasswordForm } from "#app/password-form.tsx";
import { clearSession } from "#data/session.ts";
import { Panel } from "#ui/panel.tsx";
import { deskRoutes } from "#app/urls.ts";
import { client } from "#desk/data/client.ts";

export function PasswordPanel() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return (
    <Panel title="Password" description="Changing it ends all your sessions, including this one.">
      <PasswordForm
        change={async (request) => {
          await client.changeOperatorPassword(request);
          await navigate({ to: deskRoutes.signIn, search: { changed: "password" } });
          queries.clear();
          clearSession();
        }}
      />
    </Panel>
  );
}
