import type { Deposit } from "@ironlease/client";
import { Notice } from "#ui/notice.tsx";

/** Warns if the settlement provider is not live. */
export function SettlementModeNotice({ mode }: { readonly mode: Deposit["mode"] }) {
  if (mode === "LIVE") return null;
  return mode === "SIMULATED" ? (
    <Notice tone="warn" title="SIMULATED: do not send funds to this address">
      <p>This service uses a simulated settlement provider. The address exists on no network.</p>
    </Notice>
  ) : (
    <Notice tone="warn" title="TEST: send test network coins only">
      <p>This address is on a test network. Real coins sent to it are lost.</p>
    </Notice>
  );
}
