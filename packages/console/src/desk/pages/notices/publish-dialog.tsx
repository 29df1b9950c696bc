import type { PublishNoticeRequest } from "@ironlease/client/operator";
import { useState } from "react";
import { useChange } from "#data/use-change.ts";
import { Button } from "#ui/button.tsx";
import { Dialog, DialogActions } from "#ui/dialog.tsx";
import { CheckBox, SelectField, TextArea, TextField } from "#ui/field.tsx";
import { Form } from "#ui/form.tsx";
import { toast } from "#ui/toast.tsx";
import { client } from "#desk/data/client.ts";
import { keys } from "#desk/data/reads.ts";
import { useCatalogueChoices } from "#desk/shared/catalogue-choices.ts";
import { utcOf } from "#desk/shared/local-time.ts";
import { noticeKinds } from "./notice-kinds.ts";

type Kind = PublishNoticeRequest["kind"];
type Audience = "all" | "regions" | "servers";

const kinds = (Object.keys(noticeKinds) as Kind[]).map((value) => ({
  value,
  label: noticeKinds[value],
}));

const audiences: readonly { readonly value: Audience; readonly label: string }[] = [
  { value: "all", label: "Everyone" },
  { value: "regions", label: "Customers in regions" },
  { value: "servers", label: "Owners of servers" },
];

const empty = {
  kind: "MAINTENANCE" as Kind,
  title: "",
  text: "",
  startsAt: "",
  endsAt: "",
  audience: "all" as Audience,
  regionIds: [] as readonly string[],
  servers: "",
};

/** Says which customers the notice reaches, because that may be all of them. */
export function PublishDialog({ onClose }: { readonly onClose: () => void }) {
  const [typed, setTyped] = useState(empty);
  const publish = useChange(client.publishNotice, [keys.notices]);
  const change = (fields: Partial<typeof empty>) => setTyped({ ...typed, ...fields });
  const request = requestOf(typed);
  return (
    <Dialog isOpen title="Publish notice" onClose={onClose}>
      <Form
        label="Publish notice"
        error={publish.error}
        onSubmit={() =>
          publish.mutate(request, {
            onSuccess: () => {
              toast("Notice published");
              onClose();
            },
          })
        }
      >
        <SelectField
          name="kind"
          label="Kind"
          value={typed.kind}
          options={kinds}
          onChange={(kind) => change({ kind })}
        />
        <TextField
          name="title"
          label="Title"
          value={typed.title}
          onChange={(title) => change({ title })}
          maxLength={200}
          autoComplete="off"
        />
        <TextArea
          name="text"
          label="Text"
          hint="What happens, which servers it affects and what to do."
          isProse
          value={typed.text}
          onChange={(text) => change({ text })}
          maxLength={4000}
        />
        <div className="grid gap-3 sm:grid-cols-2">
          <TextField
            name="startsAt"
            label="Starts"
            hint="In your time zone"
            type="datetime-local"
            value={typed.startsAt}
            onChange={(startsAt) => change({ startsAt })}
          />
          <TextField
            name="endsAt"
            label="Ends"
            hint="In your time zone"
            type="datetime-local"
            value={typed.endsAt}
            onChange={(endsAt) => change({ endsAt })}
          />
        </div>
        <SelectField
          name="audience"
          label="For"
          value={typed.audience}
          options={audiences}
          onChange={(audience) => change({ audience })}
        />
        {typed.audience === "regions" && (
          <Regions chosen={typed.regionIds} onChange={(regionIds) => change({ regionIds })} />
        )}
        {typed.audience === "servers" && (
          <TextArea
            name="serverIds"
            label="Server ids"
            hint="One per line"
            placeholder="srv_…"
            value={typed.servers}
            onChange={(servers) => change({ servers })}
          />
        )}
        {isComplete(typed, request) && (
          <p className="text-sm">{reach(request)} sees it at once, until it ends.</p>
        )}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="primary"
            isPending={publish.isPending}
            disabled={!isComplete(typed, request)}
          >
            Publish notice
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

function Regions({
  chosen,
  onChange,
}: {
  readonly chosen: readonly string[];
  readonly onChange: (regionIds: readonly string[]) => void;
}) {
  const { regions } = useCatalogueChoices();
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 text-sm font-medium">Regions</legend>
      {regions.map(({ value, label }) => (
        <CheckBox
          key={value}
          label={label}
          isChecked={chosen.includes(value)}
          onChange={(isChecked) =>
            onChange(isChecked ? [...chosen, value] : chosen.filter((id) => id !== value))
          }
        />
      ))}
    </fieldset>
  );
}

function requestOf(typed: typeof empty): PublishNoticeRequest {
  const { kind, title, text, audience, regionIds } = typed;
  const serverIds = typed.servers.split(/[\s,]+/).filter((id) => id !== "");
  return {
    kind,
    title: title.trim(),
    text: text.trim(),
    startsAt: utcOf(typed.startsAt),
    endsAt: utcOf(typed.endsAt),
    ...(audience === "regions" && { regionIds }),
    ...(audience === "servers" && { serverIds }),
  };
}

/** A list that is still empty would be refused, and must not become a notice for everyone. */
function isComplete({ audience }: typeof empty, request: PublishNoticeRequest): boolean {
  const { title, text, startsAt, endsAt, regionIds = [], serverIds = [] } = request;
  const hasAudience = audience === "all" || regionIds.length + serverIds.length > 0;
  return hasAudience && ![title, text, startsAt, endsAt].includes("");
}

function reach({ regionIds, serverIds }: PublishNoticeRequest): string {
  if (regionIds !== undefined) return `Every customer with a server in ${regionIds.join(", ")}`;
  if (serverIds === undefined) return "Every customer";
  return serverIds.length === 1 ? "The owner of one server" : "Every owner of these servers";
}
