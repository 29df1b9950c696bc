import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { SecondFactorSetup } from "#app/second-factor/second-factor-setup.tsx";
import { accountRoutes } from "#app/urls.ts";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { client } from "#account/data/client.ts";
import { useAccountSignOut } from "#account/data/use-account-sign-out.ts";
import { reads } from "#account/data/reads.ts";

export function SecondFactorPage() {
  const navigate = useNavigate();
  const { data: account } = useQuery(reads.account);
  const signOut = useAccountSignOut();
  const requests = {
    begin: () => client.beginSecondFactor(),
    confirm: client.confirmSecondFactor,
    signOut: () => signOut.mutate(),
    changes: reads.account.queryKey,
    fileName: `ironlease-second-factor-codes-${account?.username ?? ""}.txt`,
  };
  return (
    <Page
      title="Set up your second factor"
      crumbs={[{ to: accountRoutes.security, label: "Security" }]}
    >
      <Panel className="max-w-md">
        <SecondFactorSetup
          requests={requests}
          onDone={() => void navigate({ to: accountRoutes.security })}
        />
      </Panel>
    </Page>
  );
}
