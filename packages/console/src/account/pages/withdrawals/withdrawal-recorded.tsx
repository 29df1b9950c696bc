import type { Recorded, RequestWithdrawalAnswer } from "@ironlease/client";
import { Button } from "#ui/button.tsx";
import { Notice } from "#ui/notice.tsx";
import { Panel } from "#ui/panel.tsx";
import { IdText } from "#ui/id-text.tsx";

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
        <Notice tone="info" isAnnounced title="Held for review">
          <p>
            {answer.status === "RECORDED"
              ? "The first attempt was recorded before the connection was lost. Nothing was recorded twice."
              : "Nothing has been paid yet."}
          </p>
        </Notice>
        <p className="flex flex-col text-sm">
          <span className="text-quiet">Withdrawal id</span>
          {answer.id === null ? (
            "Unknown. This is the latest hold in your ledger."
          ) : (
            <IdText id={answer.id} what="withdrawal id" />
          )}
        </p>
        <div>
          <Button onClick={onAnother}>Request another withdrawal</Button>
        </div>
      </div>
    </Panel>
  );
}
