import { useNow } from "#ui/time.tsx";

/** A coarse duration, for spotting what is late. */
function ageText(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  if (minutes < 1) return "under a minute";
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return withRest(`${hours} h`, minutes % 60, "min");
  return withRest(`${Math.floor(hours / 24)} d`, hours % 24, "h");
}

function withRest(text: string, rest: number, unit: string): string {
  return rest === 0 ? text : `${text} ${rest} ${unit}`;
}

const everyMs = 30_000;

export function Age({ since }: { readonly since: string }) {
  const now = useNow(everyMs);
  return (
    <time
      dateTime={since}
      title={`${since.slice(0, 10)} ${since.slice(11, 19)} UTC`}
      className="figures whitespace-nowrap"
    >
      {ageText(now - Date.parse(since))}
    </time>
  );
}
