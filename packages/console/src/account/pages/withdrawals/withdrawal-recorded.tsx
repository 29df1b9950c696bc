import type { Recorded, RequestWithdrawalAnswer } from "@ironlease/client";
import { Button } from "#ui/button.tsx";
import { CopyValue } from "#ui/copy-button.tsx";
import { Notice } from "#ui/notice.tsx";
import { Panel } from "#ui/panel.tsx";

export function WithdrawalRecorded({
  answer,
  onAnother,
}: {
  readonly answer: RequestWithdrawalAnswer | Recorded;
  readonly onAnother: () => void;
}) {
  return (
    <Panel title="Withdrawal requested">
      <div className="flex flex-col gap-5">
        <Notice tone="info" isNews title="Recorded and held, waiting for review">
          <p>
            {answer.status === "RECORDED"
              ? "It had been recorded when its answer was lost. It was not recorded twice."
              : "Nothing has been sent to the address yet."}
          </p>
        </Notice>
        <p className="flex flex-col text-sm">
          <span className="text-quiet">Withdrawal id</span>
          {answer.id === null ? (
            "See the ledger: the latest hold is this one."
          ) : (
            <CopyValue text={answer.id} what="withdrawal id" />
          )}
        </p>
        <div>
          <Button onClick={onAnother}>Make another</Button>
        </div>
      </div>
    </Panel>
  );
}
