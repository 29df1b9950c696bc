import { canVerify } from "@ironlease/statement";
import { useQuery } from "@tanstack/react-query";
import { Notice } from "#ui/notice.tsx";
import { BillingFrame } from "#account/shared/billing-frame.tsx";
import { FilePanel } from "./file-panel.tsx";
import { LiabilitiesPanel } from "./liabilities-panel.tsx";
import { PeriodPanel } from "./period-panel.tsx";

export function StatementsPage() {
  // Assumes support until the browser has answered, so that the page does not jump.
  const { data: isAble = true } = useQuery({
    queryKey: ["canVerify"],
    queryFn: canVerify,
    staleTime: Infinity,
  });
  return (
    <BillingFrame
      title="Statements"
      lead="Your ledger is a chain of hashes that the service signs. Check it yourself."
    >
      {!isAble && (
        <Notice tone="warn" title="This browser cannot verify signatures">
          <p>
            It does not support Ed25519. Update it, or download a statement and run{" "}
            <code className="font-mono">ironlease statement verify FILE</code>.
          </p>
        </Notice>
      )}
      <PeriodPanel canVerify={isAble} />
      {isAble && <FilePanel />}
      <LiabilitiesPanel canVerify={isAble} />
      <p className="max-w-prose text-sm text-quiet">
        The code that verifies here comes from the service, too. To verify independently of it, save
        your statements and the public keys, and use{" "}
        <code className="font-mono">ironlease statement verify</code> or your own program.
      </p>
    </BillingFrame>
  );
}
