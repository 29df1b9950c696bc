import type { Webhook } from "@ironlease/client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { accountRoutes, urlOf } from "#app/urls.ts";
import { Button } from "#ui/button.tsx";
import { Badge } from "#ui/badge.tsx";
import { Plus, WebhookIcon } from "#ui/icons.ts";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import { Table, type Column } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { Time } from "#ui/time.tsx";
import { reads } from "#account/data/reads.ts";
import { CreateWebhookDialog } from "./create-webhook-dialog.tsx";
import { eventCountText } from "./events.ts";

export function WebhooksPage() {
  const webhooks = useQuery(reads.webhooks);
  const [isCreating, setIsCreating] = useState(false);
  return (
    <Page
      title="Webhooks"
      lead="Send events from your account to your own endpoint. They are signed, and failed deliveries are retried for three days."
      actions={
        <Button
          variant="primary"
          icon={<Plus aria-hidden className="size-4" />}
          onClick={() => setIsCreating(true)}
        >
          Create webhook
        </Button>
      }
    >
      <Panel isFlush>
        <Loaded query={webhooks}>
          {({ webhooks: list }) =>
            list.length === 0 ? (
              <EmptyState icon={<WebhookIcon className="size-6" />} title="No webhooks yet">
                Create one to learn of payments, deliveries and sign-ins without polling.
              </EmptyState>
            ) : (
              <Table label="Webhooks" columns={columns} rows={list} keyOf={({ id }) => id} />
            )
          }
        </Loaded>
      </Panel>
      {isCreating && <CreateWebhookDialog onClose={() => setIsCreating(false)} />}
    </Page>
  );
}

const columns: readonly Column<Webhook>[] = [
  {
    title: "URL",
    isHeading: true,
    isFreeText: true,
    cell: ({ id, url }) => (
      <TextLink to={urlOf(accountRoutes.webhook, { id })}>
        <span className="break-all">{url}</span>
      </TextLink>
    ),
  },
  { title: "Events", place: "detail", cell: ({ events }) => eventCountText(events) },
  {
    title: "State",
    place: "corner",
    cell: ({ disabledAt }) => <WebhookState disabledAt={disabledAt} />,
  },
  { title: "Created", place: "end", cell: ({ createdAt }) => <Time at={createdAt} isDay /> },
];

export function WebhookState({ disabledAt }: { readonly disabledAt: string | null }) {
  return disabledAt === null ? (
    <Badge tone="good">Enabled</Badge>
  ) : (
    <Badge tone="bad">Disabled</Badge>
  );
}
