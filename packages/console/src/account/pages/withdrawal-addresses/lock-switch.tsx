import { useQuery } from "@tanstack/react-query";
import { useChange } from "#data/use-change.ts";
import { ErrorNotice } from "#ui/error-notice.tsx";
import { Loaded, Skeleton } from "#ui/states.tsx";
import { Switch } from "#ui/switch.tsx";
import { Time } from "#ui/time.tsx";
import { toast } from "#ui/toast.tsx";
import { client } from "#account/data/client.ts";
import { reads } from "#account/data/reads.ts";

/** Locks withdrawals at once, or requests their unlock. */
export function LockSwitch() {
  const lock = useQuery(reads.withdrawalLock);
  const change = useChange(client.setWithdrawalLock, [reads.withdrawalLock.queryKey], {
    untilRead: true,
  });
  return (
    <div className="flex flex-col gap-4 border-b border-line px-5 pb-5 sm:px-6">
      <Loaded query={lock} isPadded={false} loading={<Skeleton className="h-12 w-full" />}>
        {({ locked, unlocksAt }) => (
          <>
            <Switch
              label="Lock withdrawals"
              hint="While locked, withdrawals go only to addresses that you saved at least 48 hours ago. Unlocking takes 48 hours. You get an e-mail about each change if you have confirmed an address."
              isOn={change.isPending ? change.variables.locked : locked && unlocksAt === null}
              isDisabled={change.isPending}
              onChange={(next) =>
                change.mutate(
                  { locked: next },
                  { onSuccess: () => toast(next ? "Withdrawals locked" : "Unlock requested") },
                )
              }
            />
            {unlocksAt !== null && (
              <p className="text-sm">
                Withdrawals stay locked until <Time at={unlocksAt} />. Turn the lock on again to
                cancel the unlock.
              </p>
            )}
          </>
        )}
      </Loaded>
      {change.error !== null && <ErrorNotice error={change.error} />}
    </div>
  );
}
