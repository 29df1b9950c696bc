import type { ReadServerAnswer, SetDdosModeRequest } from "@ironlease/client";
import { useState } from "react";
import { useIdempotentChange } from "#data/use-idempotent-change.ts";
import { Button } from "#ui/button.tsx";
import { ChoiceCards } from "#ui/choice-cards.tsx";
import { Form } from "#ui/form.tsx";
import { Notice } from "#ui/notice.tsx";
import { Panel } from "#ui/panel.tsx";
import { UnansweredNotice } from "#ui/unanswered-notice.tsx";
import { client } from "#account/data/client.ts";
import { reads } from "#account/data/reads.ts";
import { allowedIn } from "./allowed-actions.ts";

type Mode = SetDdosModeRequest["mode"];

const modes: Readonly<Record<Mode, { readonly label: string; readonly detail: string }>> = {
  BASELINE: { label: "Baseline", detail: "Included with every server" },
  ADVANCED: { label: "Advanced", detail: "Requires a quote that you accept" },
};

function requestText(quoteRequired: boolean, isQuoted: boolean): string {
  if (!quoteRequired) return "An operator will apply it.";
  return isQuoted
    ? "Accept or decline the operator's quote."
    : "The operator sends you a quote first. Nothing changes and nothing is charged until you accept it.";
}

/** The active mode and the requested one. */
export function DdosPanel({ server }: { readonly server: ReadServerAnswer }) {
  const { mode, requestedMode, quoteRequired, quote } = server.ddos;
  const [chosen, setChosen] = useState<Mode>(requestedMode ?? mode);
  const change = useIdempotentChange(
    `ddos/${server.id}`,
    (request: SetDdosModeRequest, options) => client.setDdosMode(request, options),
    [reads.servers.queryKey],
  );
  const { unanswered } = change;
  const isUnchanged = chosen === (requestedMode ?? mode);
  return (
    <Panel
      title="DDoS protection"
      description="This is your requested setting. An operator applies it."
    >
      <Form
        label="DDoS protection"
        error={unanswered === undefined ? change.error : null}
        onSubmit={() => change.mutate({ id: server.id, mode: chosen })}
      >
        {unanswered !== undefined && (
          <UnansweredNotice
            what={`Your request for ${modes[unanswered.request.mode].label} protection`}
            at={unanswered.at}
            isPending={change.isPending}
            onRetry={() => change.mutate(unanswered.request)}
            onDiscard={change.discard}
          />
        )}
        {requestedMode !== null && (
          <Notice tone="info" isAnnounced title={`${modes[requestedMode].label} requested`}>
            <p>
              {requestText(quoteRequired, quote !== null)} {modes[mode].label} stays active until
              then.
            </p>
          </Notice>
        )}
        <ChoiceCards
          name="mode"
          label="Mode"
          isLabelHidden
          value={chosen}
          onChange={setChosen}
          choices={(["BASELINE", "ADVANCED"] as const).map((value) => ({
            value,
            label: `${modes[value].label}${value === mode ? " (active)" : ""}`,
            detail: modes[value].detail,
          }))}
        />
        <div>
          <Button
            type="submit"
            isPending={change.isPending}
            disabled={
              isUnchanged || unanswered !== undefined || !allowedIn.ddos.includes(server.state)
            }
          >
            {chosen === mode && requestedMode !== null ? "Cancel request" : "Request change"}
          </Button>
        </div>
      </Form>
    </Panel>
  );
}
