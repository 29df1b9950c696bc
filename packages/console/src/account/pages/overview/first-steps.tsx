import { LinkButton } from "#ui/button.tsx";
import { Panel } from "#ui/panel.tsx";
import { accountRoutes } from "#app/urls.ts";

const steps = [
  {
    title: "Deposit",
    text: "Pay in any of six coins. The balance is in USD.",
    to: accountRoutes.deposit,
    go: "Get an address",
  },
  {
    title: "Order",
    text: "Choose a machine, a region and a system. The price is charged when you order.",
    to: accountRoutes.order,
    go: "Look at machines",
  },
  {
    title: "Save an SSH key",
    text: "It is put on the machine at delivery.",
    to: accountRoutes.keys,
    go: "Add a key",
  },
] as const;

/** What to do with an empty account. */
export function FirstSteps({ hasMoney }: { readonly hasMoney: boolean }) {
  return (
    <Panel title="Your first server" description="From an empty account to a machine of your own.">
      <ol className="grid gap-6 md:grid-cols-3">
        {steps.map(({ title, text, to, go }, index) => (
          <li key={title} className="flex flex-col items-start justify-between gap-3">
            <div className="flex flex-col gap-1">
              <p className="font-medium">
                {index + 1}. {title}
              </p>
              <p className="text-sm text-quiet">{text}</p>
            </div>
            <LinkButton
              to={to}
              size="small"
              look={index === (hasMoney ? 1 : 0) ? "primary" : "secondary"}
            >
              {go}
            </LinkButton>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
