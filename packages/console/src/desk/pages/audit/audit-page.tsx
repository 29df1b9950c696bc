import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "#ui/button.tsx";
import { TextField } from "#ui/field.tsx";
import { Form } from "#ui/form.tsx";
import { ScrollText } from "#ui/icons.ts";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import { Table } from "#ui/table.tsx";
import { reads } from "#desk/data/reads.ts";
import { auditColumns } from "#desk/shared/audit-columns.tsx";
import { given, useFilters } from "#desk/shared/filters.ts";
import { Pager } from "#desk/shared/pager.tsx";
import { localText, utcOf } from "./local-time.ts";

type Name = "actor" | "action" | "subject" | "since" | "until";

export function AuditPage() {
  const filters = useFilters();
  const of = (name: string) => given(filters.of(name));
  const audit = useQuery(
    reads.audit({
      actor: of("actor"),
      action: of("action"),
      subject: of("subject"),
      since: of("since"),
      until: of("until"),
      after: of("after"),
    }),
  );
  return (
    <Page title="Audit" lead="Who did what to what, when, from where. The newest first.">
      <Panel isFlush>
        <div className="p-4 sm:px-6">
          <AuditFilters />
        </div>
        <Loaded query={audit}>
          {({ entries }) =>
            entries.length === 0 ? (
              <EmptyState icon={<ScrollText className="size-6" />} title="Nothing fits" />
            ) : (
              <>
                <Table
                  label="Audit"
                  isDense
                  columns={auditColumns}
                  rows={entries}
                  keyOf={({ id }) => id}
                />
                <Pager rows={entries} />
              </>
            )
          }
        </Loaded>
      </Panel>
    </Page>
  );
}

const empty: Readonly<Record<Name, string>> = {
  actor: "",
  action: "",
  subject: "",
  since: "",
  until: "",
};

/** Sent together with Enter, since each of them alone reads a list of its own. */
function AuditFilters() {
  const { search, set } = useFilters();
  const { actor = "", action = "", subject = "", since = "", until = "" } = search;
  const shown = { actor, action, subject, since: localText(since), until: localText(until) };
  // A link in the table changes them from outside: then the fields begin anew.
  return <Typed key={JSON.stringify(shown)} shown={shown} onShow={set} />;
}

function Typed({
  shown,
  onShow,
}: {
  readonly shown: Readonly<Record<Name, string>>;
  readonly onShow: (filters: Readonly<Record<Name, string>>) => void;
}) {
  const [typed, setTyped] = useState(shown);
  const field = (name: Name, label: string, rest: object) => (
    <TextField
      name={name}
      label={label}
      value={typed[name]}
      onChange={(text) => setTyped({ ...typed, [name]: text })}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      {...rest}
    />
  );
  return (
    <Form
      label="Narrow the audit down"
      error={null}
      className="gap-3"
      onSubmit={() => onShow({ ...typed, since: utcOf(typed.since), until: utcOf(typed.until) })}
    >
      <div className="grid gap-3 sm:grid-cols-2 xl:grid-cols-5">
        {field("actor", "Who", { placeholder: "Name, id, system, nobody" })}
        {field("action", "What", { placeholder: "withdrawal. or order.place" })}
        {field("subject", "To what", { placeholder: "Identifier" })}
        {field("since", "From", { type: "datetime-local" })}
        {field("until", "Until", { type: "datetime-local" })}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="small" look="primary">
          Show
        </Button>
        <Button size="small" onClick={() => onShow(empty)}>
          Show everything
        </Button>
      </div>
    </Form>
  );
}
