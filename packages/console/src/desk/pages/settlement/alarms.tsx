import type { Alarm } from "@ironlease/client/operator";
import { Notice, type Tone } from "#ui/notice.tsx";
import { sentenceCase, sentenceOf } from "#ui/sentence-case.ts";
import { TextLink } from "#ui/text-link.tsx";
import { Time } from "#ui/time.tsx";
import { deskRoutes } from "#app/urls.ts";

interface KindOfAlarm {
  readonly tone: Tone;
  readonly title: (network: string) => string;
}

const kinds: Readonly<Record<Alarm["kind"], KindOfAlarm>> = {
  LOST_AFTER_CREDIT: { tone: "bad", title: (network) => `Credited payment lost on ${network}` },
  CHAIN_UNAVAILABLE: { tone: "bad", title: (network) => `${network} is unavailable` },
  CHAIN_LAGGING: { tone: "warn", title: (network) => `${network} has not been scanned recently` },
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

function AlarmNotice({
  alarm: { kind, network, transactionId, detail, at },
}: {
  readonly alarm: Alarm;
}) {
  const { title, tone } = kinds[kind];
  return (
    <Notice tone={tone} isAnnounced title={title(sentenceCase(network))}>
      <p className="max-w-prose wrap-anywhere">{sentenceOf(detail)}</p>
      <p className="flex flex-wrap gap-x-3 text-quiet">
        <Time at={at} />
        {transactionId !== null && (
          <TextLink to={deskRoutes.deposits} search={{ query: transactionId }}>
            Show deposit
          </TextLink>
        )}
      </p>
    </Notice>
  );
}
