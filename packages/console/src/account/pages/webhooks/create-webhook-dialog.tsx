import { useState } from "react";
import { useChange } from "#data/use-change.ts";
import { Button } from "#ui/button.tsx";
import { ChoiceCards } from "#ui/choice-cards.tsx";
import { Dialog, DialogActions } from "#ui/dialog.tsx";
import { CheckBox, TextField } from "#ui/field.tsx";
import { Form } from "#ui/form.tsx";
import { client } from "#account/data/client.ts";
import { reads } from "#account/data/reads.ts";
import { eventTypes, meaningOf, type EventType } from "./events.ts";
import { WebhookSecretDialog } from "./secret-dialog.tsx";

type Choice = "all" | "some";

const choices = [
  { value: "all", label: "All events", detail: "Including events that later versions add." },
  { value: "some", label: "Some events", detail: "Only the events that you choose." },
] as const;

export function CreateWebhookDialog({ onClose }: { readonly onClose: () => void }) {
  const [url, setUrl] = useState("");
  const [choice, setChoice] = useState<Choice>("all");
  const [chosen, setChosen] = useState<ReadonlySet<EventType>>(new Set());
  const create = useChange(client.createWebhook, [reads.webhooks.queryKey]);
  if (create.data !== undefined) {
    return (
      <WebhookSecretDialog title="Webhook created" secret={create.data.secret} onClose={onClose} />
    );
  }
  const events = eventTypes.filter((event) => chosen.has(event));
  const isReady = url.trim() !== "" && (choice === "all" || events.length > 0);
  return (
    <Dialog isOpen title="Create webhook" onClose={onClose}>
      <Form
        label="Create webhook"
        error={create.error}
        onSubmit={() =>
          create.mutate({ url: url.trim(), ...(choice === "some" && { events: [...events] }) })
        }
      >
        <TextField
          name="url"
          label="URL"
          hint="A public HTTPS address. Redirects are not followed."
          placeholder="https://hooks.example.com/ironlease"
          value={url}
          onChange={setUrl}
          autoComplete="off"
        />
        <ChoiceCards<Choice>
          name="events"
          label="Events"
          value={choice}
          onChange={setChoice}
          choices={choices}
        />
        {choice === "some" && (
          <fieldset className="flex flex-col gap-3">
            <legend className="sr-only">Events to send</legend>
            {eventTypes.map((event) => (
              <CheckBox
                key={event}
                label={<EventLabel event={event} />}
                isChecked={chosen.has(event)}
                onChange={(isChecked) => setChosen(withEvent(chosen, event, isChecked))}
              />
            ))}
          </fieldset>
        )}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={create.isPending} disabled={!isReady}>
            Create webhook
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

function EventLabel({ event }: { readonly event: EventType }) {
  return (
    <span className="flex flex-col">
      <code className="font-mono text-sm">{event}</code>
      <span className="text-sm text-quiet">{meaningOf(event)}</span>
    </span>
  );
}

function withEvent(
  chosen: ReadonlySet<EventType>,
  event: EventType,
  isChosen: boolean,
): ReadonlySet<EventType> {
  const changed = new Set(chosen);
  if (isChosen) changed.add(event);
  else changed.delete(event);
  return changed;
}
