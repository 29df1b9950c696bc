import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { PasswordForm } from "#app/password-form.tsx";
import { clearSession } from "#data/session.ts";
import { Notice } from "#ui/notice.tsx";
import { Panel } from "#ui/panel.tsx";
import { accountRoutes } from "#app/urls.ts";
import { client } from "#account/data/client.ts";

export function PasswordPanel() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return (
    <Panel title="Password">
      <div className="flex max-w-md flex-col gap-5">
        <Notice tone="warn">
          <p>
            Changing your password ends all sessions, including this one, and all API keys. Your
            recovery code stays valid.
          </p>
        </Notice>
        <PasswordForm
          change={async (request) => {
            await client.changePassword(request);
            await navigate({ to: accountRoutes.signIn, search: { changed: "password" } });
            queries.clear();
            clearSession();
          }}
        />
      </div>
    </Panel>
  );
}
