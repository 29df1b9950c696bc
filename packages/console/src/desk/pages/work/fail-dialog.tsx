import type { FailWorkRequest, WorkItem } from "@ironlease/client/operator";
import { client } from "../../client.ts";
import { ReasonDialog } from "../../shared/reason-dialog.tsx";
import { kinds } from "./kinds.tsx";
import { useWorkStep } from "./use-work-step.ts";

export function FailDialog({
  item: { id, kind },
  onClose,
}: {
  readonly item: WorkItem;
  readonly onClose: () => void;
}) {
  const { fail: doIt, failing } = kinds[kind];
  const fail = useWorkStep((request: FailWorkRequest) => client.failWork(request));
  return (
    <ReasonDialog
      title={`${doIt}?`}
      description={failing}
      doIt={doIt}
      isDangerous
      isPending={fail.isPending}
      error={fail.error}
      onConfirm={(reason) => fail.mutate({ id, reason }, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
