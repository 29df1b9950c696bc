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
            <p className="text-sm whitespace-pre-wrap wrap-anywhere">{message.text}</p>
          )}
        </li>
      ))}
    </ol>
  );
}
