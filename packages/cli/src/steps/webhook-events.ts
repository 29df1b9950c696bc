import { usageFailure } from "#failures/failure.ts";
import { eventTypes, type EventType } from "#vocabulary.ts";

/** Reads `--events a,b`. */
export function readEvents(text: string): readonly EventType[] {
  return text.split(",").map((part) => {
    const event = eventTypes.find((known) => known === part.trim());
    if (event !== undefined) return event;
    throw usageFailure(`--events must be some of ${eventTypes.join(", ")}.`);
  });
}

export function eventsText(events: readonly string[]): string {
  return events.length === eventTypes.length ? "all" : events.join(", ");
}
