import { useQuery } from "@tanstack/react-query";
import { Badge } from "#ui/badge.tsx";
import { Panel } from "#ui/panel.tsx";
import { Skeleton } from "#ui/states.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { Time } from "#ui/time.tsx";
import { accountRoutes } from "#app/urls.ts";
import { reads } from "#account/data/reads.ts";
import {
  apiKeyStatus,
  contactStatus,
  passkeyStatus,
  secondFactorStatus,
  sessionStatus,
  withdrawalStatus,
  type Protection,
} from "./protections.ts";

/** The parts of the page Security, for links to them. */
export const securityParts = {
  secondFactor: "second-factor",
  passkeys: "passkeys",
  sessions: "sessions",
  withdrawals: "withdrawals",
  contact: "e-mail",
} as const;

const { security, keys } = accountRoutes;
const tones = { on: "good", off: "warn", plain: "plain" } as const;

/** What protects the account and what does not yet, in one glance. Each line has its place before its data is there. */
export function ProtectionPanel() {
  const { data: account } = useQuery(reads.account);
  const { data: passkeys } = useQuery(reads.passkeys);
  const { data: sessions } = useQuery(reads.sessions);
  const { data: lock } = useQuery(reads.withdrawalLock);
  const { data: addresses } = useQuery(reads.withdrawalAddresses);
  const { data: apiKeys } = useQuery(reads.apiKeys);
  const { data: contact } = useQuery(reads.contact);
  return (
    <Panel
      title="Protection"
      description="What protects your account, and what does not yet"
      isFlush
    >
      <ul className="divide-y divide-line border-t border-line">
        <Line
          name="Second factor"
          part={securityParts.secondFactor}
          status={account && secondFactorStatus(account)}
        />
        <Line
          name="Passkeys"
          part={securityParts.passkeys}
          status={passkeys && passkeyStatus(passkeys)}
        />
        <Line
          name="Sessions"
          part={securityParts.sessions}
          status={sessions && sessionStatus(sessions)}
        />
        <Line
          name="Withdrawals"
          part={securityParts.withdrawals}
          status={lock && addresses && withdrawalStatus(lock, addresses)}
        />
        <Line name="API keys" to={keys} status={apiKeys && apiKeyStatus(apiKeys)} />
        {contact?.offered !== false && (
          <Line
            name="E-mail"
            part={securityParts.contact}
            status={contact && contactStatus(contact)}
          />
        )}
      </ul>
    </Panel>
  );
}

function Line({
  name,
  part,
  to = security,
  status,
}: {
  readonly name: string;
  readonly part?: string;
  readonly to?: string;
  readonly status: Protection | undefined;
}) {
  return (
    <li className="grid min-h-16 grid-cols-[1fr_auto] items-center gap-x-4 gap-y-1 px-5 py-3 text-sm sm:grid-cols-[10rem_8rem_minmax(0,1fr)_auto] sm:px-6">
      <TextLink to={to} {...(part !== undefined && { hash: part })} className="w-fit">
        {name}
      </TextLink>
      {status === undefined ? (
        <Skeleton className="h-5 w-16" />
      ) : (
        <Badge tone={tones[status.state]}>{status.label}</Badge>
      )}
      <span className="text-quiet max-sm:col-span-2">{status?.detail}</span>
      {status?.last !== undefined && (
        <span className="text-quiet max-sm:col-span-2">
          {status.last.what} <Time at={status.last.at} isDay />
        </span>
      )}
    </li>
  );
}
