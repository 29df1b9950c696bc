import type { Server } from "@ironlease/client";
import { accountRoutes } from "#app/urls.ts";
import { Notice } from "#ui/notice.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { Time } from "#ui/time.tsx";

/** The reason for the suspension, and what to do. */
export function SuspensionNotice({
  serverId,
  suspension: { reason, since },
}: {
  readonly serverId: string;
  readonly suspension: NonNullable<Server["suspension"]>;
}) {
  return (
    <Notice tone="bad" title="This server is suspended">
      {reason !== "" && <p className="whitespace-pre-wrap wrap-anywhere">{reason}</p>}
      <p>
        Since <Time at={since} />. An operator powers the machine off, and billing continues. To
        have the server resumed,{" "}
        <TextLink to={accountRoutes.newMessage} search={{ server: serverId }}>
          write to the operators
        </TextLink>
        .
      </p>
    </Notice>
  );
}
