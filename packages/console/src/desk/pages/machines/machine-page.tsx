import type { ReadMachineAnswer as Machine } from "@ironlease/client/operator";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { useChange } from "#data/use-change.ts";
import { Button } from "#ui/button.tsx";
import { CopyValue } from "#ui/copy-button.tsx";
import { ErrorNotice } from "#ui/error-notice.tsx";
import { Fact, Facts } from "#ui/facts.tsx";
import { IdText } from "#ui/id-text.tsx";
import { Pencil } from "#ui/icons.ts";
import { Menu } from "#ui/menu.tsx";
import { Notice } from "#ui/notice.tsx";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { Loaded } from "#ui/states.tsx";
import { Time } from "#ui/time.tsx";
import { toast } from "#ui/toast.tsx";
import { deskRoutes } from "#app/urls.ts";
import { client } from "#desk/data/client.ts";
import { keys, reads } from "#desk/data/reads.ts";
import { usePermissions } from "#desk/data/use-permissions.ts";
import { AccountLink, ServerLink } from "#desk/shared/links.tsx";
import { MachineBadges, notRecorded } from "#desk/shared/machine-state.tsx";
import { ReasonDialog } from "#desk/shared/reason-dialog.tsx";
import { ServerStateBadge } from "#desk/shared/server-state.tsx";
import { Missing } from "#desk/shared/missing.tsx";
import { ChangeMachineDialog } from "./change-machine-dialog.tsx";
import { ControllerDialog } from "./controller-dialog.tsx";
import { HistoryPanel } from "./history-panel.tsx";

export function MachinePage() {
  const { id = "" }: { id?: string } = useParams({ strict: false });
  const machine = useQuery(reads.machine(id));
  const { data } = machine;
  return (
    <Page
      title={data?.assetTag ?? "Machine"}
      crumbs={[{ to: deskRoutes.machines, label: "Machines" }]}
      lead={data !== undefined && <MachineBadges machine={data} />}
      actions={data !== undefined && <MachineActions machine={data} />}
    >
      <Loaded key={id} query={machine} missing={<Missing what="Machine" />}>
        {(found) => (
          <>
            {found.keepOutReason !== null && (
              <Notice tone="warn" title="Kept out of sale">
                <p className="whitespace-pre-wrap wrap-anywhere">{found.keepOutReason}</p>
              </Notice>
            )}
            <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_24rem]">
              <Panel title="Record">
                <RecordFacts machine={found} />
              </Panel>
              <div className="flex min-w-0 flex-col gap-5">
                <ServerPanel machine={found} />
                <ControllerPanel machine={found} />
              </div>
            </div>
            <HistoryPanel machineId={found.id} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function MachineActions({ machine }: { readonly machine: Machine }) {
  const [isEditing, setIsEditing] = useState(false);
  const [isKeepingOut, setIsKeepingOut] = useState(false);
  const change = useChange(client.changeMachine, [keys.machines, keys.overview]);
  const navigate = useNavigate();
  const { id, assetTag, keepOutReason } = machine;
  const returnToSale = () =>
    change.mutate(
      { id, keepOutReason: null },
      { onSuccess: () => toast(`${assetTag} returned to sale`) },
    );
  return (
    <>
      <Menu
        label="Actions"
        actions={[
          {
            label: "Print label",
            onChoose: () => void navigate({ to: deskRoutes.machineLabels, search: { query: id } }),
          },
          keepOutReason === null
            ? { label: "Keep out of sale", onChoose: () => setIsKeepingOut(true) }
            : { label: "Return to sale", onChoose: returnToSale },
        ]}
      />
      <Button
        variant="primary"
        icon={<Pencil aria-hidden className="size-4" />}
        onClick={() => setIsEditing(true)}
      >
        Edit
      </Button>
      {change.error !== null && !isKeepingOut && <ErrorNotice error={change.error} />}
      {isEditing && <ChangeMachineDialog machine={machine} onClose={() => setIsEditing(false)} />}
      {isKeepingOut && (
        <ReasonDialog
          title={`Keep ${assetTag} out of sale`}
          description="No order gets the machine. A customer who has it keeps it, and it is not sold again after it is wiped."
          confirmLabel="Keep out of sale"
          hint="Operators see it on this page. It is also in the audit log."
          isPending={change.isPending}
          error={change.error}
          onConfirm={(reason) =>
            change.mutate(
              { id, keepOutReason: reason },
              {
                onSuccess: () => {
                  setIsKeepingOut(false);
                  toast(`${assetTag} kept out of sale`);
                },
              },
            )
          }
          onClose={() => setIsKeepingOut(false)}
        />
      )}
    </>
  );
}

function RecordFacts({ machine }: { readonly machine: Machine }) {
  const { rack, unit, serialNumber, switchPort, macAddresses, notes } = machine;
  return (
    <Facts>
      <Fact name="Configuration">{machine.configId}</Fact>
      <Fact name="Region">{machine.regionId}</Fact>
      <Fact name="Rack">{rack ?? notRecorded}</Fact>
      <Fact name="Unit">{unit ?? notRecorded}</Fact>
      <Fact name="Serial number">{copied(serialNumber, "serial number")}</Fact>
      <Fact name="Switch port">{switchPort ?? notRecorded}</Fact>
      <Fact name="Added">
        <Time at={machine.createdAt} />
      </Fact>
      <Fact name="Machine id">
        <IdText id={machine.id} what="machine id" />
      </Fact>
      <Fact name="MAC addresses" isWide>
        {macAddresses.length === 0 ? (
          notRecorded
        ) : (
          <ul className="flex flex-wrap gap-x-6 gap-y-2">
            {macAddresses.map((mac) => (
              <li key={mac}>{copied(mac, `MAC address ${mac}`)}</li>
            ))}
          </ul>
        )}
      </Fact>
      <Fact name="Notes" isWide>
        {notes === null ? (
          notRecorded
        ) : (
          <p className="max-w-prose font-normal whitespace-pre-wrap wrap-anywhere">{notes}</p>
        )}
      </Fact>
    </Facts>
  );
}

function copied(text: string | null, what: string): ReactNode {
  return text === null ? notRecorded : <CopyValue text={text} what={what} />;
}

function ServerPanel({ machine: { server } }: { readonly machine: Machine }) {
  return (
    <Panel title="Customer">
      {server === null ? (
        <p className="text-sm text-quiet">No customer has this machine.</p>
      ) : (
        <Facts>
          <Fact name="Account">
            <AccountLink id={server.accountId} username={server.username} />
          </Fact>
          <Fact name="Server">
            <ServerStateBadge state={server.state} />
          </Fact>
          <Fact name="Hostname">
            <ServerLink id={server.id} name={server.hostname ?? "Not delivered"} />
          </Fact>
          <Fact name="Server id">
            <IdText id={server.id} what="server id" />
          </Fact>
        </Facts>
      )}
    </Panel>
  );
}

function ControllerPanel({ machine }: { readonly machine: Machine }) {
  const [isChanging, setIsChanging] = useState(false);
  const { can } = usePermissions();
  const { controller, power } = machine;
  return (
    <Panel
      title="Controller"
      actions={
        can("setController") && (
          <Button size="small" onClick={() => setIsChanging(true)}>
            {controller === null ? "Set controller" : "Change"}
          </Button>
        )
      }
    >
      {controller === null ? (
        <p className="text-sm text-quiet">This machine has no controller.</p>
      ) : (
        <Facts>
          <Fact name="Driver">{controller.driver === "ipmi" ? "IPMI" : "Redfish"}</Fact>
          <Fact name="Address">
            <code className="font-mono wrap-anywhere">{controller.address}</code>
          </Fact>
          <Fact name="Username">{controller.username}</Fact>
          {power !== null && (
            <Fact name="Power">
              {power.state === "ON" ? "On" : "Off"}, seen <Time at={power.at} />
            </Fact>
          )}
        </Facts>
      )}
      {isChanging && <ControllerDialog machine={machine} onClose={() => setIsChanging(false)} />}
    </Panel>
  );
}
