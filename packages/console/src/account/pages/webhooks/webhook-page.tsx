import type { Webhook } from "@ironlease/client";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { accountRoutes } from "#app/urls.ts";
import { Fact, Facts } from "#ui/facts.tsx";
import { IdText } from "#ui/id-text.tsx";
import { Notice } from "#ui/notice.tsx";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { Loaded } from "#ui/states.tsx";
import { Time } from "#ui/time.tsx";
import { reads } from "#account/data/reads.ts";
import { Missing } from "#account/shared/missing.tsx";
import { DeliveriesPanel } from "./deliveries-panel.tsx";
import { eventsText } from "./events.ts";
import { WebhookActions } from "./webhook-actions.tsx";
import { WebhookState } from "./webhooks-page.tsx";

export function WebhookPage() {
  const { id = "" }: { id?: string } = useParams({ strict: false });
  const webhooks = useQuery(reads.webhooks);
  const webhook = webhooks.data?.webhooks.find((candidate) => candidate.id === id);
  return (
    <Page
      title={webhook === undefined ? "Webhook" : new URL(webhook.url).host}
      crumbs={[{ to: accountRoutes.webhooks, label: "Webhooks" }]}
      actions={webhook !== undefined && <WebhookActions webhook={webhook} />}
    >
      <Loaded query={webhooks} isPadded={false}>
        {() =>
          webhook === undefined ? (
            <Missing what="Webhook" list={accountRoutes.webhooks} linkText="View all webhooks" />
          ) : (
            <>
              <Details webhook={webhook} />
              <DeliveriesPanel webhook={webhook} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

function Details({ webhook }: { readonly webhook: Webhook }) {
  const { id, url, events, createdAt, disabledAt } = webhook;
  return (
    <Panel title="Endpoint">
      <div className="flex flex-col gap-5">
        {disabledAt !== null && (
          <Notice tone="bad" title="This webhook is disabled">
            Every delivery failed for five days. Check the receiver, then delete this webhook and
            create a new one.
          </Notice>
        )}
        <Facts>
          <Fact name="URL" isWide>
            <span className="break-all">{url}</span>
          </Fact>
          <Fact name="Events" isWide>
            {eventsText(events)}
          </Fact>
          <Fact name="State">
            <WebhookState disabledAt={disabledAt} />
          </Fact>
          <Fact name="Created">
            <Time at={createdAt} />
          </Fact>
          <Fact name="Id" isWide>
            <IdText id={id} what="webhook id" />
          </Fact>
        </Facts>
      </div>
    </Panel>
  );
}
