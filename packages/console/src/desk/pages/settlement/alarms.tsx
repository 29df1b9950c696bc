import type { Alarm } from "@ironlease/client/operator";
import { Notice, type Tone } from "#ui/notice.tsx";
import { sentenceCase, sentenceOf } from "#ui/sentence-case.ts";
import { TextLink } from "#ui/text-link.tsx";
import { Time } from "#ui/time.tsx";
import { deskRoutes, urlOf } from "#app/urls.ts";

interface KindOfAlarm {
  readonly tone: Tone;
  readonly title: (network: string) => string;
}

const kinds: Readonly<Record<Alarm["kind"], KindOfAlarm>> = {
  DEPOSIT_TO_CLOSED_ACCOUNT: {
    tone: "bad",
    title: (network) => `Payment to a closed account on ${network}`,
  },
  LOST_AFTER_CREDIT: { tone: "bad", title: (network) => `Credited payment lost on ${network}` },
  CHAIN_UNAVAILABLE: { tone: "bad", title: (network) => `${network} is unavailable` },
  UNEXPLAINED_BALANCE: { tone: "warn", title: (network) => `Unexplained balance on ${network}` },
  CHAIN_LAGGING: { tone: "warn", title: (network) => `${network} has not been scanned recently` },
  PAYOUT_FAILED: { tone: "bad", title: (network) => `Payout failed on ${network}` },
  PAYOUT_REFUSED: { tone: "warn", title: (network) => `${network} does not accept a payout` },
};

export function Alarms({ alarms }: { readonly alarms: readonly Alarm[] }) {
  if (alarms.length === 0) return null;
  return (
    <section aria-label="Alarms" className="flex flex-col gap-3">
      {alarms.map((alarm) => (
        <AlarmNotice key={alarm.id} alarm={alarm} />
      ))}
    </section>
  );
}

function AlarmNotice({ alarm }: { readonly alarm: Alarm }) {
  const { kind, network, detail, at } = alarm;
  const { title, tone } = kinds[kind];
  return (
    <Notice tone={tone} isAnnounced title={title(sentenceCase(network))}>
      <p className="max-w-prose wrap-anywhere">{sentenceOf(detail)}</p>
      <p className="flex flex-wrap gap-x-3 text-quiet">
        <Time at={at} />
        <SubjectLink alarm={alarm} />
      </p>
    </Notice>
  );
}

/** Leads to the payout or the deposit that the alarm is about. */
function SubjectLink({ alarm: { id, kind, transactionId } }: { readonly alarm: Alarm }) {
  if (kind === "PAYOUT_FAILED" || kind === "PAYOUT_REFUSED") {
    return <TextLink to={urlOf(deskRoutes.payout, { id })}>Show payout</TextLink>;
  }
  if (transactionId === null) return null;
  return (
    <TextLink to={deskRoutes.deposits} search={{ query: transactionId }}>
      Show deposit
    </TextLink>
  );
}
