import { Button } from "#ui/button.tsx";
import { TextArea } from "#ui/field.tsx";
import { savedReplies } from "./saved-replies.ts";

/** A message to a customer, with replies to start from. */
export function MessageField({
  text,
  onChange,
}: {
  readonly text: string;
  readonly onChange: (text: string) => void;
}) {
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
      <div role="group" aria-label="Saved replies" className="flex flex-wrap gap-2">
        {savedReplies.map(({ name, text: reply }) => (
          <Button key={name} size="small" onClick={() => add(reply)}>
            {name}
          </Button>
        ))}
      </div>
    </div>
  );
}
