import type { RequestWithdrawalRequest } from "@ironlease/client";
import { useState } from "react";
import { useIdempotentChange } from "#data/use-idempotent-change.ts";
import { moneyText } from "#ui/money-text.ts";
import { Panel } from "#ui/panel.tsx";
import { UnansweredNotice } from "#ui/unanswered-notice.tsx";
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
  const withdrawal = useIdempotentChange(
    "withdrawal",
    (request: RequestWithdrawalRequest, options) => client.requestWithdrawal(request, options),
    [reads.account.queryKey, reads.ledger.queryKey],
  );
  const { unanswered, data: answer } = withdrawal;
  const close = () => setIsReviewed(false);
  return (
    <BillingFrame title="Withdraw" lead="An operator reviews every withdrawal before it is paid.">
      <div className="grid items-start gap-6 lg:grid-cols-2">
        {answer === undefined ? (
          <Panel title="New withdrawal">
            <div className="flex flex-col gap-5">
              {unanswered !== undefined && (
                <UnansweredNotice
                  what={`Your withdrawal of ${moneyText(Number(unanswered.request.usd))} in ${unanswered.request.asset}`}
                  at={unanswered.at}
                  isPending={withdrawal.isPending}
                  onRetry={() => withdrawal.mutate(unanswered.request)}
                  onDiscard={withdrawal.discard}
                />
              )}
              <WithdrawalForm
                draft={draft}
                error={unanswered === undefined ? withdrawal.error : null}
                isBlocked={unanswered !== undefined}
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
        <HowItWorks />
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

function HowItWorks() {
  return (
    <Panel title="How withdrawals work">
      <ol className="flex list-decimal flex-col gap-3 pl-5 text-sm">
        <li>
          The amount is <strong>held</strong> at once: it leaves your balance and cannot be spent.
        </li>
        <li>
          An operator <strong>reviews</strong> the request. Review times vary.
        </li>
        <li>
          If approved, it is paid to your address and the ledger shows the transaction. If rejected,
          the amount returns to your balance and the ledger shows the reason.
        </li>
      </ol>
      <p className="mt-4 text-sm text-quiet">
        The history below shows the outcome. It does not show the progress of a review.
      </p>
    </Panel>
  );
}
