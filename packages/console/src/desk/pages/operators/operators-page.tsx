import type { OperatorRecord } from "@ironlease/client/operator";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/button.tsx";
import { Plus } from "#ui/icons.ts";
import { Menu, type MenuAction } from "#ui/menu.tsx";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { Loaded } from "#ui/states.tsx";
import { Table, type Column } from "#ui/table.tsx";
import { Time } from "#ui/time.tsx";
import { reads } from "#desk/data/reads.ts";
import { usePermissions } from "#desk/data/use-permissions.ts";
import { AddOperatorDialog } from "./add-operator-dialog.tsx";
import { NetworksDialog } from "./networks-dialog.tsx";
import { ResetDialog } from "./reset-dialog.tsx";
import { RoleDialog } from "./role-dialog.tsx";
import { SessionsDialog } from "./sessions-dialog.tsx";
import { StatusDialog } from "./status-dialog.tsx";

const dialogs = {
  role: RoleDialog,
  networks: NetworksDialog,
  sessions: SessionsDialog,
  reset: ResetDialog,
  status: StatusDialog,
} as const;

interface Open {
  readonly kind: keyof typeof dialogs;
  readonly operator: OperatorRecord;
}

/** Where an admin adds operators and decides what each may do, and from where. */
export function OperatorsPage() {
  const operators = useQuery({ ...reads.operators, enabled: usePermissions().role === "admin" });
  const { can, role, username } = usePermissions();
  const [isAdding, setIsAdding] = useState(false);
  const [open, setOpen] = useState<Open>();
  const OpenDialog = open && dialogs[open.kind];
  return (
    <Page
      title="Operators"
      lead="Who works at the desk. Every change takes effect at once and is in the audit log."
      actions={
        can("addOperator") && (
          <Button
            variant="primary"
            icon={<Plus aria-hidden className="size-4" />}
            onClick={() => setIsAdding(true)}
          >
            Add operator
          </Button>
        )
      }
    >
      {role !== undefined && !can("listOperators") ? (
        <Panel title="Only an admin sees the operators">
          <p className="text-sm text-quiet">Ask an admin to change your role or networks.</p>
        </Panel>
      ) : (
        <Panel isFlush>
          <Loaded query={operators}>
            {({ operators: list }) => (
              <Table
                label="Operators"
                isDense
                columns={columnsWith(username, setOpen)}
                rows={list}
                keyOf={({ id }) => id}
              />
            )}
          </Loaded>
        </Panel>
      )}
      {isAdding && <AddOperatorDialog onClose={() => setIsAdding(false)} />}
      {open !== undefined && OpenDialog !== undefined && (
        <OpenDialog operator={open.operator} onClose={() => setOpen(undefined)} />
      )}
    </Page>
  );
}

function columnsWith(
  ownName: string | undefined,
  onOpen: (open: Open) => void,
): readonly Column<OperatorRecord>[] {
  return [
    {
      title: "Name",
      isHeading: true,
      cell: ({ username }) => (
        <span className="wrap-anywhere">
          {username}
          {username === ownName && <span className="font-normal text-quiet"> (you)</span>}
        </span>
      ),
    },
    { title: "Role", place: "detail", cell: ({ role }) => role },
    {
      title: "Status",
      place: "corner",
      cell: ({ disabledAt }) =>
        disabledAt === null ? <Badge tone="good">Enabled</Badge> : <Badge>Disabled</Badge>,
    },
    {
      title: "Second factor",
      place: "labelled",
      cell: ({ secondFactor }) => (secondFactor === "on" ? "On" : <Badge tone="warn">Off</Badge>),
    },
    {
      title: "Networks",
      place: "detail",
      cell: ({ allowedNetworks }) =>
        allowedNetworks === null ? (
          "Anywhere"
        ) : (
          <span className="font-mono text-xs wrap-anywhere">{allowedNetworks.join(", ")}</span>
        ),
    },
    {
      title: "Last sign-in",
      place: "labelled",
      cell: ({ lastSignInAt }) =>
        lastSignInAt === null ? (
          <span className="text-quiet">Never</span>
        ) : (
          <Time at={lastSignInAt} />
        ),
    },
    {
      title: "Actions",
      isTitleHidden: true,
      isNumber: true,
      place: "end",
      cell: (operator) => (
        <Menu
          isIconOnly
          label={`Actions for ${operator.username}`}
          actions={actionsFor(operator, operator.username === ownName, onOpen)}
        />
      ),
    },
  ];
}

function actionsFor(
  operator: OperatorRecord,
  isOwn: boolean,
  onOpen: (open: Open) => void,
): readonly MenuAction[] {
  const open = (kind: Open["kind"]) => () => onOpen({ kind, operator });
  const isDisabled = operator.disabledAt !== null;
  return [
    { label: "Change role", onChoose: open("role") },
    { label: "Allowed networks", onChoose: open("networks") },
    { label: "Sessions", onChoose: open("sessions") },
    {
      label: "Reset password and second factor",
      startsGroup: true,
      problem: isOwn ? "Change your own under Security" : undefined,
      onChoose: open("reset"),
    },
    {
      label: isDisabled ? "Enable" : "Disable",
      isDangerous: !isDisabled,
      onChoose: open("status"),
    },
  ];
}
