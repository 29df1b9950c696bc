import type { Server } from "@ironlease/client";
import { Notice } from "#ui/notice.tsx";
import { Time } from "#ui/time.tsx";

/** The reason for the suspension, and what to do. */
export function SuspensionNotice({
  suspension: { reason, since },
}: {
  readonly suspension: NonNullable<Server["suspension"]>;
}) {
  return (
    <Notice tone="bad" title="This server is suspended">
      {reason !== "" && <p className="whitespace-pre-wrap wrap-anywhere">{reason}</p>}
      <p>
        Since <Time at={since} />. An operator powers the machine off, and billing continues. To
        have the server resumed, contact support.
      </p>
    </Notice>
  );
}
