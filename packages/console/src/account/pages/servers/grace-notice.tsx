import type { ReadServerAnswer } from "@ironlease/client";
import { LinkButton } from "#ui/button.tsx";
import { moneyText } from "#ui/money-text.ts";
import { Notice } from "#ui/notice.tsx";
import { remainingText } from "#ui/remaining-text.ts";
import { Time, useNow } from "#ui/time.tsx";
import { accountRoutes } from "#app/urls.ts";
import { renewalUsd } from "#account/shared/renewal-price.ts";

/** The time left, and how to keep the server. */
export function GraceNotice({ server }: { readonly server: ReadServerAnswer }) {
  const { graceUntil, autoRenew } = server;
  const now = useNow(1_000);
  if (graceUntil === null) return null;
  const leftMs = Date.parse(graceUntil) - now;
  return (
    <Notice
      tone="warn"
      title={
        <span className="figures" role="timer">
          {leftMs > 0
            ? `Grace period ends in ${remainingText(leftMs)}`
            : "The grace period is over"}
        </span>
      }
      actions={
        <LinkButton size="small" to={accountRoutes.deposit}>
          Deposit
        </LinkButton>
      }
    >
      <p>
        The paid term is over. To keep the server,{" "}
        {autoRenew ? "deposit" : "turn on renewal and deposit"} until your balance is at least{" "}
        {moneyText(renewalUsd(server))}. Otherwise the server is terminated on{" "}
        <Time at={graceUntil} /> and its disks are wiped.
      </p>
    </Notice>
  );
}
