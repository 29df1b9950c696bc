import type { ListDeliveriesAnswer, Webhook } from "@ironlease/client";
import { useQuery } from "@tanstack/react-query";
import { useChange } from "#data/use-change.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/button.tsx";
import { ErrorNotice } from "#ui/error-notice.tsx";
import { Send } from "#ui/icons.ts";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import { Table, type Column } from "#ui/table.tsx";
import { Time } from "#ui/time.tsx";
import { toast } from "#ui/toast.tsx";
import { IdText } from "#ui/id-text.tsx";
import { client } from "#account/data/client.ts";
import { reads } from "#account/data/reads.ts";

type Delivery = ListDeliveriesAnswer["deliveries"][number];

export function DeliveriesPanel({ webhook }: { readonly webhook: Webhook }) {
  const { id, disabledAt } = webhook;
  const query = reads.deliveries(id);
  const deliveries = useQuery(query);
  const test = useChange(client.testWebhook, [query.queryKey]);
  const redeliver = useChange(client.redeliver, [query.queryKey]);
  const isEnabled = disabledAt === null;
  const error = test.error ?? redeliver.error;
  return (
    <Panel
      title="Deliveries"
      description="The latest 100 of the last 30 days."
      isFlush
      actions={
        isEnabled && (
          <Button
            icon={<Send aria-hidden className="size-4" />}
            isPending={test.isPending}
            onClick={() => test.mutate({ id }, { onSuccess: () => toast("Test event queued") })}
          >
            Send test event
          </Button>
        )
      }
    >
      {error !== null && (
        <div className="p-5 sm:p-6">
          <ErrorNotice error={error} />
        </div>
      )}
      <Loaded query={deliveries}>
        {({ deliveries: list }) =>
          list.length === 0 ? (
            <EmptyState title="Nothing sent yet">
              Send a test event to see whether your receiver accepts messages.
            </EmptyState>
          ) : (
            <Table
              label="Deliveries"
              columns={columnsWith(isEnabled, ({ id: deliveryId }) =>
                redeliver.mutate(
                  { id, deliveryId },
                  { onSuccess: () => toast("Event queued again") },
                ),
              )}
              rows={list}
              keyOf={(delivery) => delivery.id}
            />
          )
        }
      </Loaded>
    </Panel>
  );
}

function columnsWith(
  isEnabled: boolean,
  onRedeliver: (delivery: Delivery) => void,
): readonly Column<Delivery>[] {
  return [
    {
      title: "Event",
      isHeading: true,
      isLong: true,
      cell: ({ id, event }) => (
        <span className="flex flex-col">
          {event}
          <span className="font-normal text-quiet">
            <IdText id={id} what="delivery id" />
          </span>
        </span>
      ),
    },
    { title: "Result", place: "detail", cell: (delivery) => <Result delivery={delivery} /> },
    { title: "Attempts", isNumber: true, place: "labelled", cell: ({ attempts }) => attempts },
    { title: "Created", place: "labelled", cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      title: "Actions",
      isTitleHidden: true,
      isNumber: true,
      place: "corner",
      cell: (delivery) =>
        isEnabled &&
        delivery.attempts > 0 && (
          <Button size="small" onClick={() => onRedeliver(delivery)}>
            Send again<span className="sr-only"> {delivery.event}</span>
          </Button>
        ),
    },
  ];
}

function Result({
  delivery: { deliveredAt, attempts, lastStatus },
}: {
  readonly delivery: Delivery;
}) {
  const status = lastStatus === null ? "no answer" : `status ${lastStatus}`;
  if (deliveredAt !== null) return <Badge tone="good">{`Delivered, ${status}`}</Badge>;
  if (attempts === 0) return <Badge tone="wait">Waiting</Badge>;
  return <Badge tone="warn">{`Not delivered, ${status}`}</Badge>;
}
