import { useQuery } from "@tanstack/react-query";
import { accountRoutes } from "#app/urls.ts";
import { Notice } from "#ui/notice.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { Time } from "#ui/time.tsx";
import { reads } from "./data/reads.ts";

/** On every page while the account is frozen: the reason, what still works, and what to do. */
export function FrozenNotice() {
  const { data: account } = useQuery(reads.account);
  if (account?.frozen === undefined) return null;
  const { reason, since } = account.frozen;
  return (
    <Notice tone="warn" isAnnounced title="Your account is frozen">
      {reason !== "" && <p className="whitespace-pre-wrap wrap-anywhere">{reason}</p>}
      <p>
        Since <Time at={since} />. You can still view everything, sign out, change your password and
        revoke sessions and API keys. To have the account unfrozen,{" "}
        <TextLink to={accountRoutes.newMessage}>write to the operators</TextLink>.
      </p>
    </Notice>
  );
}
