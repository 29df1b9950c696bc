import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { Time } from "./time.tsx";

export interface ConversationMessage {
  readonly id: string;
  readonly author: string;
  /** Written by the reader's own side. */
  readonly isOwn: boolean;
  readonly createdAt: string;
  readonly text: string;
  /** Shown instead of the text. */
  readonly content?: ReactNode;
}

/** The messages of a thread, oldest first. */
export function Conversation({ messages }: { readonly messages: readonly ConversationMessage[] }) {
  return (
    <ol aria-label="Messages" className="flex flex-col gap-4">
      {messages.map((message) => (
        <li
          key={message.id}
          className={classNames(
            "flex w-full flex-col gap-1.5 rounded-lg border px-4 py-3 sm:max-w-[85%]",
            message.isOwn ? "self-end border-transparent bg-raised" : "border-line bg-surface",
          )}
        >
          <p className="flex flex-wrap items-baseline gap-x-3 text-sm">
            <span className="font-medium">{message.author}</span>
            <span className="text-xs text-quiet">
              <Time at={message.createdAt} />
            </span>
          </p>
          {message.content ?? (
            <p className="text-sm whitespace-pre-wrap wrap-anywhere">
              {withLocalTimes(message.text)}
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}

/** As the service writes times in its messages: `2026-12-15 09:30 UTC`. */
const utcTimes = /(\d{4}-\d{2}-\d{2} \d{2}:\d{2}) UTC/;

/** Splitting by a pattern with a group gives text and times in turn. */
function withLocalTimes(text: string): ReactNode {
  return text.split(utcTimes).map((part, index) => {
    if (index % 2 === 0) return part;
    const at = `${part.replace(" ", "T")}:00.000Z`;
    return Number.isNaN(Date.parse(at)) ? `${part} UTC` : <Time key={at} at={at} />;
  });
}
