import type { Deposit } from "@ironlease/client";
import { Notice } from "#ui/notice.tsx";

/** Whether real money can arrive; nothing is said where it can. */
export function SettlementModeNotice({ mode }: { readonly mode: Deposit["mode"] }) {
  if (mode === "LIVE") return null;
  return mode === "SIMULATED" ? (
    <Notice tone="warn" title="SIMULATED: do not send anything to this address">
      <p>This service pretends to have a settlement provider. The address exists on no network.</p>
    </Notice>
  ) : (
    <Notice tone="warn" title="TEST: coins of a test network only">
      <p>The address is on a test network. Coins that are worth something would be lost.</p>
    </Notice>
  );
}
