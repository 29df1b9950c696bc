import { useQuery } from "@tanstack/react-query";
import { deskRoutes } from "#app/urls.ts";
import { Button } from "#ui/button.tsx";
import { TextArea } from "#ui/field.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { reads } from "#desk/data/reads.ts";

/** A message to a customer, with replies to start from. */
export function MessageField({
  text,
  onChange,
}: {
  readonly text: string;
  readonly onChange: (text: string) => void;
}) {
  const { data } = useQuery(reads.savedReplies);
  const add = (reply: string) => onChange(text.trim() === "" ? reply : `${text}\n\n${reply}`);
  return (
    <div className="flex flex-col gap-3">
      <TextArea
        name="text"
        label="Message"
        hint="The customer reads it as written by “Operator”, without your name."
        isProse
        rows={6}
        value={text}
        onChange={onChange}
      />
      <div
        role="group"
        aria-label="Saved replies"
        // The scrolling box cuts off focus rings, so it is larger than its content.
        className="-m-1 flex max-h-48 flex-wrap items-center gap-2 overflow-y-auto p-1"
      >
        {data?.savedReplies.map(({ id, name, text: reply }) => (
          <Button key={id} size="small" onClick={() => add(reply)}>
            <span className="wrap-anywhere">{name}</span>
          </Button>
        ))}
        <TextLink to={deskRoutes.savedReplies} className="text-sm">
          Edit saved replies
        </TextLink>
      </div>
    </div>
  );
}
