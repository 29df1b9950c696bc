import type { CreateDepositAddressRequest } from "@ironlease/client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { apiErrorOf } from "#data/api-errors.ts";
import { useIdempotentChange } from "#data/use-idempotent-change.ts";
import { Button, LinkButton } from "#ui/button.tsx";
import { ErrorNotice } from "#ui/error-notice.tsx";
import { ArrowRight } from "#ui/icons.ts";
import { Loaded, Skeleton } from "#ui/states.tsx";
import { UnansweredNotice } from "#ui/unanswered-notice.tsx";
import { accountRoutes, urlOf } from "#app/urls.ts";
import { client } from "#account/data/client.ts";
import { reads } from "#account/data/reads.ts";
import type { Asset } from "#account/shared/assets.ts";
import { useUsdAmount } from "./usd-amount.ts";

/** Continues with the latest address of the asset, or with a new one. */
export function AddressStep({ asset }: { readonly asset: Asset }) {
  const { search } = useUsdAmount();
  const addresses = useQuery(reads.depositAddresses);
  const make = useMakeAddress(asset);
  const { unanswered } = make;
  const problem = make.isPending ? make.failureReason : make.error;
  return (
    <div className="flex flex-col gap-5">
      {unanswered !== undefined && (
        <UnansweredNotice
          what={`Your request for a new deposit address (${asset})`}
          at={unanswered.at}
          isPending={make.isPending}
          onRetry={() => make.mutate(unanswered.request)}
          onDiscard={make.discard}
        />
      )}
      {problem !== null && unanswered === undefined && <ErrorNotice error={problem} />}
      {make.isPending && make.failureCount > 0 && (
        <p role="status" className="text-sm text-quiet">
          Trying again…
        </p>
      )}
      <Loaded query={addresses} isPadded={false} loading={<Skeleton className="h-11 w-48" />}>
        {({ depositAddresses }) => {
          const latest = depositAddresses.find((listed) => listed.asset === asset);
          return (
            <div className="flex flex-wrap gap-3">
              {latest !== undefined && (
                <LinkButton
                  variant="primary"
                  to={urlOf(accountRoutes.depositAddress, { id: latest.id })}
                  search={search}
                  icon={<ArrowRight aria-hidden className="size-4" />}
                >
                  Continue with {asset}
                </LinkButton>
              )}
              <Button
                variant={latest === undefined ? "primary" : "secondary"}
                isPending={make.isPending}
                disabled={unanswered !== undefined}
                onClick={() => make.mutate({ asset })}
              >
                {latest === undefined ? `Get ${asset} address` : "Get new address"}
              </Button>
            </div>
          );
        }}
      </Loaded>
    </div>
  );
}

/** How often a request is sent again while the service cannot see the chain, and after how long. */
const waitsMs = [1_000, 2_000, 4_000, 8_000, 8_000, 8_000, 8_000];

/** Creates an address once, then opens its page, whose URL survives a reload and works on another device. */
function useMakeAddress(asset: Asset) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { search } = useUsdAmount();
  return useIdempotentChange(
    `deposit-address/${asset}`,
    async (request: CreateDepositAddressRequest, options) => {
      const made = await client.createDepositAddress(request, options);
      // The answer of the specification has no id. The list shows its own error: the address exists.
      const { queryKey } = reads.depositAddresses;
      await queries.refetchQueries({ queryKey, exact: true });
      const list = queries.getQueryData(queryKey)?.depositAddresses;
      const listed = list?.find(({ address }) => address === made.address);
      if (listed !== undefined) {
        void navigate({ to: urlOf(accountRoutes.depositAddress, { id: listed.id }), search });
      }
      return made;
    },
    [],
    {
      // A node that restarts, or has not been scanned yet, is back within seconds.
      retry: (failures, error) =>
        apiErrorOf(error)?.code === "settlement_unavailable" && failures < waitsMs.length,
      retryDelay: (failures) => waitsMs[failures] ?? 0,
    },
  );
}
