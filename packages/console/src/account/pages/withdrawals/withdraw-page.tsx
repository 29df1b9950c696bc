import type { RequestWithdrawalRequest } from "@ironlease/client";
import { useState } from "react";
import { useOnce } from "#data/use-once.ts";
import { moneyText } from "#ui/money-text.ts";
import { Panel } from "#ui/panel.tsx";
import { UnsettledNotice } from "#ui/unsettled-notice.tsx";
import { client } from "#account/data/client.ts";
import { reads } from "#account/data/reads.ts";
import { BillingFrame } from "#account/shared/billing-frame.tsx";
import { WithdrawalForm, type WithdrawalDraft } from "./withdrawal-form.tsx";
import { WithdrawalHistory } from "./withdrawal-history.tsx";
import { WithdrawalRecorded } from "./withdrawal-recorded.tsx";
import { WithdrawalReview } from "./withdrawal-review.tsx";

const emptyDraft: WithdrawalDraft = { asset: "BTC", destination: "", usd: "" };

export function WithdrawPage() {
  const [draft, setDraft] = useState(emptyDraft);
  const [isReviewed, setIsReviewed] = useState(false);
  const withdrawal = useOnce(
    "withdrawal",
    (request: RequestWithdrawalRequest, options) => client.requestWithdrawal(request, options),
    [reads.account.queryKey, reads.ledger.queryKey],
  );
  const { unsettled, data: answer } = withdrawal;
  const close = () => setIsReviewed(false);
  return (
    <BillingFrame
      title="Withdraw"
      lead="Take money off your balance. An operator looks at every withdrawal before anything is sent."
    >
      <div className="grid items-start gap-6 lg:grid-cols-2">
        {answer === undefined ? (
          <Panel title="New withdrawal">
            <div className="flex flex-col gap-5">
              {unsettled !== undefined && (
                <UnsettledNotice
                  what={`A withdrawal of ${moneyText(Number(unsettled.request.usd))} in ${unsettled.request.asset}`}
                  at={unsettled.at}
                  isPending={withdrawal.isPending}
                  onResend={() => withdrawal.mutate(unsettled.request)}
                  onGiveUp={withdrawal.giveUp}
                />
              )}
              <WithdrawalForm
                draft={draft}
                error={unsettled === undefined ? withdrawal.error : null}
                isBlocked={unsettled !== undefined}
                onChange={setDraft}
                onReview={() => setIsReviewed(true)}
              />
            </div>
          </Panel>
        ) : (
          <WithdrawalRecorded
            answer={answer}
            onAnother={() => {
              setDraft({ ...emptyDraft, asset: draft.asset });
              withdrawal.reset();
            }}
          />
        )}
        <WhatHappens />
      </div>
      <WithdrawalHistory />
      {isReviewed && (
        <WithdrawalReview
          draft={draft}
          isPending={withdrawal.isPending}
          onClose={close}
          onConfirm={() => withdrawal.mutate(requestOf(draft), { onSettled: close })}
        />
      )}
    </BillingFrame>
  );
}

function requestOf({ asset, destination, usd }: WithdrawalDraft): RequestWithdrawalRequest {
  return { asset, destination: destination.trim(), usd: usd.trim() };
}

function WhatHappens() {
  return (
    <Panel title="What happens to it">
      <ol className="flex list-decimal flex-col gap-3 pl-5 text-sm">
        <li>
          The sum is <strong>held</strong> at once: it leaves your balance, and can be spent on
          nothing else.
        </li>
        <li>
          An operator <strong>reviews</strong> the request. No time is promised for that.
        </li>
        <li>
          Approved, it is paid out to the address. Refused, the sum comes back to your balance and
          the ledger shows it as released.
        </li>
      </ol>
      <p className="mt-4 text-sm text-quiet">
        A review cannot be followed here. The ledger shows its outcome, and the operator can be
        asked.
      </p>
    </Panel>
  );
}
