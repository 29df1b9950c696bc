import type { ReadServerAnswer, SetDdosModeRequest } from "@ironlease/client";
import { useState } from "react";
import { useOnce } from "#data/use-once.ts";
import { Button } from "#ui/button.tsx";
import { ChoiceCards } from "#ui/choice-cards.tsx";
import { Form } from "#ui/form.tsx";
import { Notice } from "#ui/notice.tsx";
import { Panel } from "#ui/panel.tsx";
import { UnsettledNotice } from "#ui/unsettled-notice.tsx";
import { client } from "#account/data/client.ts";
import { reads } from "#account/data/reads.ts";
import { allowedIn } from "./allowed-actions.ts";

type Mode = SetDdosModeRequest["mode"];

const modes: Readonly<Record<Mode, { readonly label: string; readonly detail: string }>> = {
  BASELINE: { label: "Baseline", detail: "What every server has. No quote, no extra charge." },
  ADVANCED: { label: "Advanced", detail: "Needs a quote from the operator that you accept." },
};

/** The mode in force, the mode that was asked for, and what a quote has to do with it. */
export function DdosPanel({ server }: { readonly server: ReadServerAnswer }) {
  const { mode, requestedMode, quoteRequired } = server.ddos;
  const [chosen, setChosen] = useState<Mode>(requestedMode ?? mode);
  const change = useOnce(
    `ddos/${server.id}`,
    (request: SetDdosModeRequest, options) => client.setDdosMode(request, options),
    [reads.servers.queryKey],
  );
  const { unsettled } = change;
  const isNothingNew = chosen === (requestedMode ?? mode);
  return (
    <Panel
      title="DDoS protection"
      description="A stored preference. It is no proof of what protects the network right now."
    >
      <Form
        label="DDoS protection"
        error={unsettled === undefined ? change.error : null}
        onSubmit={() => change.mutate({ id: server.id, mode: chosen })}
      >
        {unsettled !== undefined && (
          <UnsettledNotice
            what={`The change to ${modes[unsettled.request.mode].label}`}
            at={unsettled.at}
            isPending={change.isPending}
            onResend={() => change.mutate(unsettled.request)}
            onGiveUp={change.giveUp}
          />
        )}
        {requestedMode !== null && (
          <Notice tone="info" isNews title={`${modes[requestedMode].label} is queued`}>
            <p>
              {quoteRequired
                ? "The operator makes you a quote first. It takes effect only when you have accepted it, and until then nothing changes and nothing is charged."
                : "An operator carries it out."}{" "}
              {modes[mode].label} stays in force until then.
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
            label: `${modes[value].label}${value === mode ? " (in force)" : ""}`,
            detail: modes[value].detail,
          }))}
        />
        <div>
          <Button
            type="submit"
            isPending={change.isPending}
            disabled={
              isNothingNew || unsettled !== undefined || !allowedIn.ddos.includes(server.state)
            }
          >
            {chosen === mode && requestedMode !== null
              ? "Withdraw the request"
              : "Request this mode"}
          </Button>
        </div>
      </Form>
    </Panel>
  );
}
