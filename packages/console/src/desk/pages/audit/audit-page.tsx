import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "#ui/button.tsx";
import { TextField } from "#ui/field.tsx";
import { Form } from "#ui/form.tsx";
import { ScrollText } from "#ui/icons.ts";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import { reads } from "#desk/data/reads.ts";
import { auditColumns } from "#desk/shared/audit-columns.tsx";
import { optional, useFilters } from "#ui/filters.ts";
import { PagedTable } from "#ui/paged-table.tsx";
import { localText, utcOf } from "#desk/shared/local-time.ts";

type Name = "actor" | "action" | "subject" | "since" | "until";

export function AuditPage() {
  const filters = useFilters();
  const filter = (name: string) => optional(filters.get(name));
  const audit = useQuery(
    reads.audit({
      actor: filter("actor"),
      action: filter("action"),
      subject: filter("subject"),
      since: filter("since"),
      until: filter("until"),
      after: filter("after"),
    }),
  );
  return (
    <Page title="Audit log" lead="Who did what, when and from where. Newest first.">
      <Panel isFlush>
        <div className="px-5 py-4 sm:px-6">
          <AuditFilters />
        </div>
        <Loaded query={audit}>
          {({ entries }) => (
            <PagedTable
              label="Audit log"
              columns={auditColumns}
              rows={entries}
              empty={
                <EmptyState icon={<ScrollText className="size-6" />} title="No matching entries" />
              }
            />
          )}
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

/** Applied together, so that one change does not trigger one request per field. */
function AuditFilters() {
  const { search, set } = useFilters();
  const { actor = "", action = "", subject = "", since = "", until = "" } = search;
  const shown = { actor, action, subject, since: localText(since), until: localText(until) };
  // A link in the table changes the filters, so remount the fields.
  return <FilterForm key={JSON.stringify(shown)} shown={shown} onApply={set} />;
}

function FilterForm({
  shown,
  onApply,
}: {
  readonly shown: Readonly<Record<Name, string>>;
  readonly onApply: (filters: Readonly<Record<Name, string>>) => void;
}) {
  const [typed, setFilterForm] = useState(shown);
  const field = (name: Name, label: string, rest: object) => (
    <TextField
      name={name}
      label={label}
      value={typed[name]}
      onChange={(text) => setFilterForm({ ...typed, [name]: text })}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      {...rest}
    />
  );
  return (
    <Form
      label="Filter the audit log"
      error={null}
      className="gap-3"
      onSubmit={() => onApply({ ...typed, since: utcOf(typed.since), until: utcOf(typed.until) })}
    >
      <div className="grid gap-3 sm:grid-cols-2 xl:grid-cols-5">
        {field("actor", "Actor", { placeholder: "Name, id or system" })}
        {field("action", "Action", { placeholder: "withdrawal. or order.place" })}
        {field("subject", "Subject", { placeholder: "Id" })}
        {field("since", "From", { type: "datetime-local" })}
        {field("until", "Until", { type: "datetime-local" })}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="small">
          Apply filters
        </Button>
        <Button size="small" onClick={() => onApply(empty)}>
          Clear filters
        </Button>
      </div>
    </Form>
  );
}
