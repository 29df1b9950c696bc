import type { InspectAccountAnswer } from "@ironlease/client/operator";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { Badge } from "#ui/badge.tsx";
import { IdText } from "#ui/id-text.tsx";
import { Fact, Facts } from "#ui/facts.tsx";
import { Money } from "#ui/money.tsx";
import { Notice } from "#ui/notice.tsx";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { Loaded } from "#ui/states.tsx";
import { Time } from "#ui/time.tsx";
import { deskRoutes } from "#app/urls.ts";
import { reads } from "#desk/data/reads.ts";
import { Missing } from "#desk/shared/missing.tsx";
import { hasMore, oneOf, useFilters } from "#ui/filters.ts";
import { AccountActions } from "./account-actions.tsx";
import { AccountTab, tabOrder, tabs } from "./account-tabs.tsx";
import { NotesTab } from "./notes-tab.tsx";

/** Not one of the lists that come with the account. */
const notesTab = "notes";

export function AccountPage() {
  const { id = "" }: { id?: string } = useParams({ strict: false });
  const account = useQuery(reads.account(id));
  const { data } = account;
  return (
    <Page
      title={titleOf(data)}
      crumbs={[{ to: deskRoutes.accounts, label: "Accounts" }]}
      lead={stateOf(data)}
      actions={data !== undefined && <AccountActions account={data} />}
    >
      <Loaded key={id} query={account} missing={<Missing what="Account" />}>
        {(found) => <AccountDetails account={found} />}
      </Loaded>
    </Page>
  );
}

/** A closed account has no name. */
function titleOf(account: InspectAccountAnswer | undefined): string {
  if (account === undefined) return "Account";
  return account.closedAt === null ? account.username : "Closed account";
}

function stateOf(account: InspectAccountAnswer | undefined) {
  if (account === undefined) return undefined;
  if (account.closedAt !== null) return <Badge>Closed</Badge>;
  return account.frozen ? <Badge tone="bad">Frozen</Badge> : undefined;
}

function AccountDetails({ account }: { readonly account: InspectAccountAnswer }) {
  const filters = useFilters();
  const shown = filters.get("show");
  const notes = useQuery(reads.accountNotes(account.id, "")).data?.notes ?? [];
  const [latestNote] = notes;
  const tab = shown === notesTab ? notesTab : (oneOf(tabOrder, shown) ?? "servers");
  return (
    <>
      {account.closedAt !== null && (
        <Notice tone="info" title="The customer closed this account">
          <p>
            On <Time at={account.closedAt} />. Name, contact and messages are erased. Return a later
            payment to its sender, then debit the balance.
          </p>
        </Notice>
      )}
      {account.frozen && account.frozenAt !== null && (
        <Notice tone="warn" title="This account is frozen">
          {account.frozenReason !== null && (
            <p className="whitespace-pre-wrap wrap-anywhere">{account.frozenReason}</p>
          )}
          <p>
            Since <Time at={account.frozenAt} />. The customer can sign in and view the account, but
            cannot make changes.
          </p>
        </Notice>
      )}
      <Panel>
        <Facts>
          <Fact name="Balance">
            <Money usd={account.balanceUsd} className="text-xl font-semibold" />
          </Fact>
          <Fact name="Held">
            <Money usd={account.heldUsd} className="text-xl font-semibold" />
          </Fact>
          <Fact name="Registered">
            <Time at={account.createdAt} />
          </Fact>
          <Fact name="Sessions">{account.sessions}</Fact>
          <Fact name="API keys">{account.apiKeys}</Fact>
          <Fact name="Account id">
            <IdText id={account.id} what="account id" />
          </Fact>
          {latestNote !== undefined && (
            <Fact name="Latest note" isWide>
              <p className="line-clamp-3 max-w-prose font-normal whitespace-pre-wrap wrap-anywhere">
                {latestNote.text}
              </p>
              <span className="text-xs font-normal text-quiet">
                {latestNote.operator}, <Time at={latestNote.createdAt} />
              </span>
            </Fact>
          )}
        </Facts>
      </Panel>
      <Panel isFlush>
        <nav
          aria-label="Account sections"
          className="overflow-x-auto border-b border-line px-5 sm:px-6"
        >
          <ul className="flex gap-5">
            {([...tabOrder, notesTab] as const).map((name) => (
              <li key={name}>
                <Link
                  to="."
                  search={{ show: name }}
                  replace
                  aria-current={name === tab ? "page" : undefined}
                  className="-mb-px flex min-h-11 items-center gap-1.5 border-b-2 border-transparent text-sm font-medium whitespace-nowrap text-quiet hover:text-text aria-[current=page]:border-text aria-[current=page]:text-text"
                >
                  {name === notesTab ? "Notes" : tabs[name]}
                  <Count rows={name === notesTab ? notes : account[name]} />
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        {tab === notesTab ? (
          <NotesTab id={account.id} isClosed={account.closedAt !== null} />
        ) : (
          <AccountTab tab={tab} account={account} />
        )}
      </Panel>
    </>
  );
}

/** How many rows a list has, or at least. */
function Count({ rows }: { readonly rows: readonly unknown[] }) {
  return (
    <span className="figures text-xs font-normal">
      {rows.length}
      {hasMore(rows) && "+"}
    </span>
  );
}
