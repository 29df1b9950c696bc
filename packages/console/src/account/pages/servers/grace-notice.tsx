import type { ReadServerAnswer } from "@ironlease/client";
import { LinkButton } from "#ui/button.tsx";
import { moneyText } from "#ui/money-text.ts";
import { Notice } from "#ui/notice.tsx";
import { remainingText, Time, useNow } from "#ui/time.tsx";
import { accountRoutes } from "#app/urls.ts";

/** How long is left, and what saves the server. */
export function GraceNotice({ server }: { readonly server: ReadServerAnswer }) {
  const { graceUntil, autoRenew, priceUsd } = server;
  const now = useNow(1_000);
  if (graceUntil === null) return null;
  const leftMs = Date.parse(graceUntil) - now;
  return (
    <Notice
      tone="warn"
      title={
        <span className="figures" role="timer">
          {leftMs > 0 ? `Grace ends in ${remainingText(leftMs)}` : "The grace time is over"}
        </span>
      }
      actions={
        <LinkButton size="small" to={accountRoutes.deposit}>
          Deposit
        </LinkButton>
      }
    >
      <p>
        The paid time is over. {autoRenew ? "" : "Switch renewal on, and "}
        {autoRenew ? "A" : "a"} balance of {moneyText(priceUsd)} or more renews it; otherwise it
        ends on <Time at={graceUntil} />, and its disks are wiped.
      </p>
    </Notice>
  );
}
