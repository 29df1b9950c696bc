import type { WorkItem } from "@ironlease/client/operator";
import { Badge } from "#ui/badge.tsx";
import { Fact, Facts } from "#ui/facts.tsx";
import { Money } from "#ui/money.tsx";
import { Panel } from "#ui/panel.tsx";
import { Time } from "#ui/time.tsx";
import { Age } from "#desk/shared/age.tsx";

type Review = NonNullable<WorkItem["review"]>;

const most = 1_000;
const changes: Readonly<Record<string, string>> = {
  "account.change_password": "Password changed",
  "account.recover": "Account recovered",
  "account.remove_totp": "Second factor removed",
};
/** A thief who takes an account over withdraws soon. */
const recentMs = 7 * 86_400_000;

/** What an operator should know about the account before they pay. */
export function ReviewPanel({
  item,
  review,
}: {
  readonly item: WorkItem;
  readonly review: Review;
}) {
  const { accessChange } = review;
  const isRecent =
    accessChange !== null && Date.parse(item.createdAt) - Date.parse(accessChange.at) < recentMs;
  return (
    <Panel title="History of the account">
      <Facts>
        <Fact name="Approval">
          {review.operatorsNeeded === 2 ? <Badge tone="warn">Two operators</Badge> : "One operator"}
        </Fact>
        <Fact name="Registered">
          <Age since={review.accountCreatedAt} /> ago
        </Fact>
        <Fact name="Deposits credited">
          {countText(review.deposits)}, <Money usd={review.depositedUsd} />
        </Fact>
        <Fact name="Withdrawals paid">
          {countText(review.paidWithdrawals)}, <Money usd={review.paidUsd} />
        </Fact>
        <Fact name="To this destination">
          {review.paidToDestination === 0 ? (
            <Badge tone="warn">First time</Badge>
          ) : (
            `${countText(review.paidToDestination)} paid before`
          )}
        </Fact>
        <Fact name="Latest change of access">
          {accessChange === null ? (
            "None"
          ) : (
            <span className="flex flex-wrap items-center gap-2">
              {changes[accessChange.action] ?? accessChange.action}, <Time at={accessChange.at} />
              {isRecent && <Badge tone="bad">Less than 7 days before</Badge>}
            </span>
          )}
        </Fact>
      </Facts>
    </Panel>
  );
}

function countText(count: number): string {
  return count >= most ? `${most} or more` : String(count);
}
