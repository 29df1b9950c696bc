import type { Proposal } from "@ironlease/client/operator";
import { Button } from "#ui/button.tsx";
import { priceText } from "#ui/money-text.ts";
import { Time } from "#ui/time.tsx";
import { usePermissions } from "#desk/data/use-permissions.ts";
import { changeText } from "./change-text.ts";

/** Changes that wait for a second operator. */
export function Proposals({
  proposals,
  priceOf,
  onConfirm,
}: {
  readonly proposals: readonly Proposal[];
  readonly priceOf: (asset: Proposal["asset"]) => string | null;
  readonly onConfirm: (proposal: Proposal) => void;
}) {
  const { username, can } = usePermissions();
  if (proposals.length === 0) return null;
  return (
    <ul
      aria-label="Proposed rates"
      className="divide-y divide-line border-t border-line bg-wait-soft"
    >
      {proposals.map((proposal) => {
        const { asset, usd, proposedBy, expiresAt } = proposal;
        const isMine = proposedBy === username;
        return (
          <li
            key={`${asset} ${usd} ${proposedBy}`}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-3 text-sm sm:px-6"
          >
            <span className="flex min-w-0 flex-col">
              <span className="figures font-medium">
                {asset} {priceText(usd)} {changeText(priceOf(asset), usd)}
              </span>
              <span className="text-quiet">
                Proposed by {isMine ? "you" : proposedBy}. Expires <Time at={expiresAt} />.
              </span>
            </span>
            {isMine && <span className="text-quiet">Another operator must confirm it</span>}
            {!isMine && can("setRate") && (
              <Button
                size="small"
                variant="primary"
                aria-label={`Confirm rate of ${asset}`}
                onClick={() => onConfirm(proposal)}
              >
                Confirm
              </Button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
