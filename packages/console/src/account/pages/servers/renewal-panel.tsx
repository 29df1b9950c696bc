import type { ReadServerAnswer } from "@ironlease/client";
import { useChange } from "#data/use-change.ts";
import { ErrorNotice } from "#ui/error-notice.tsx";
import { moneyText } from "#ui/money-text.ts";
import { Panel } from "#ui/panel.tsx";
import { Switch } from "#ui/switch.tsx";
import { toast } from "#ui/toast.tsx";
import { client } from "#account/data/client.ts";
import { reads } from "#account/data/reads.ts";
import { renewalUsd, termText } from "#account/shared/renewal-price.ts";
import { allowedIn } from "./allowed-actions.ts";

/** Turns automatic renewal on or off. */
export function RenewalPanel({ server }: { readonly server: ReadServerAnswer }) {
  const change = useChange(client.setRenewal, [reads.servers.queryKey], { untilRead: true });
  const { id, term, autoRenew } = server;
  const isOn = change.isPending ? change.variables.autoRenew : autoRenew;
  const price = moneyText(renewalUsd(server));
  return (
    <Panel title="Renewal">
      <div className="flex flex-col gap-4">
        <Switch
          label="Renew automatically"
          hint={
            isOn
              ? `${price} is charged to your balance every ${termText[term]}.`
              : "The server does not renew. After the paid term and the grace period it is terminated."
          }
          isOn={isOn}
          isDisabled={change.isPending || !allowedIn.renewal.includes(server.state)}
          onChange={(next) =>
            change.mutate(
              { id, autoRenew: next },
              { onSuccess: () => toast(`Automatic renewal turned ${next ? "on" : "off"}`) },
            )
          }
        />
        {change.error !== null && <ErrorNotice error={change.error} />}
      </div>
    </Panel>
  );
}
