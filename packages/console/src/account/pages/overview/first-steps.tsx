import { LinkButton } from "#ui/button.tsx";
import { Panel } from "#ui/panel.tsx";
import { accountRoutes } from "#app/urls.ts";

const steps = [
  {
    title: "Deposit",
    text: "Pay in one of six cryptocurrencies. Your balance is in USD.",
    to: accountRoutes.deposit,
    go: "Get deposit address",
  },
  {
    title: "Order",
    text: "Choose a machine, a region and an operating system. You are charged when you place the order.",
    to: accountRoutes.order,
    go: "Browse servers",
  },
  {
    title: "Add an SSH key",
    text: "It is installed on the server at delivery.",
    to: accountRoutes.keys,
    go: "Add SSH key",
  },
] as const;

/** Guides a new account. */
export function FirstSteps({ hasMoney }: { readonly hasMoney: boolean }) {
  return (
    <Panel title="Your first server" description="Three steps to get started">
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
              variant={index === (hasMoney ? 1 : 0) ? "primary" : "secondary"}
            >
              {go}
            </LinkButton>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
