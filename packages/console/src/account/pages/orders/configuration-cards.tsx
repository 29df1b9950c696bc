import type { Configuration } from "@ironlease/client";
import { classNames } from "#ui/class-names.ts";
import { Cpu, Gauge, HardDrive, MemoryStick } from "#ui/icons.ts";
import { Money } from "#ui/money.tsx";
import { priceOf, termWords, type Term } from "./order-choice.ts";

/** Configurations as radio cards: parts, price and availability. */
export function ConfigurationCards({
  configurations,
  regionId,
  term,
  value,
  onChange,
}: {
  readonly configurations: readonly Configuration[];
  /** Prices and availability in this region, or in all regions if empty. */
  readonly regionId: string;
  readonly term: Term;
  readonly value: string | undefined;
  readonly onChange: (id: string) => void;
}) {
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">Configuration</legend>
      <div className="grid gap-3 md:grid-cols-2 2xl:grid-cols-3">
        {configurations.map((configuration) => (
          <Card
            key={configuration.id}
            configuration={configuration}
            regionId={regionId}
            term={term}
            isChosen={configuration.id === value}
            onChoose={() => onChange(configuration.id)}
          />
        ))}
      </div>
    </fieldset>
  );
}

function Card({
  configuration,
  regionId,
  term,
  isChosen,
  onChoose,
}: {
  readonly configuration: Configuration;
  readonly regionId: string;
  readonly term: Term;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}) {
  const { name, cpu, memoryGb, storage, bandwidth } = configuration;
  const offers = configuration.offers.filter(
    (offer) => regionId === "" || offer.regionId === regionId,
  );
  const prices = offers.map((offer) => priceOf(offer, term));
  const free = offers.reduce((sum, { available }) => sum + available, 0);
  const hasOnePrice = new Set(prices).size === 1;
  const parts = [
    { Icon: Cpu, text: cpu },
    { Icon: MemoryStick, text: `${memoryGb} GB memory` },
    { Icon: HardDrive, text: storage },
    { Icon: Gauge, text: bandwidth },
  ];
  return (
    <label
      className={classNames(
        "flex flex-col gap-4 rounded-lg border p-4 text-sm transition-colors duration-100 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus",
        isChosen ? "border-accent bg-accent-soft ring-1 ring-accent" : "border-line bg-surface",
        free === 0 ? "text-quiet" : !isChosen && "hover:border-control",
      )}
    >
      <span className="flex items-center justify-between gap-3">
        <span className="flex items-center gap-3">
          <input
            type="radio"
            name="configuration"
            value={configuration.id}
            checked={isChosen}
            disabled={free === 0}
            onChange={onChoose}
            className="size-4 shrink-0 accent-accent outline-none"
          />
          <span className="text-base font-semibold">{name}</span>
        </span>
        <span className="text-xs text-quiet">
          {free === 0 ? "None available" : `${free} available`}
        </span>
      </span>
      <span className="flex flex-col gap-1.5">
        {parts.map(({ Icon, text }) => (
          <span key={text} className="flex items-start gap-2">
            <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-quiet" />
            {text}
          </span>
        ))}
      </span>
      <span className="mt-auto">
        {!hasOnePrice && <span className="text-quiet">from </span>}
        <Money usd={Math.min(...prices)} className="text-lg font-semibold" />
        <span className="text-quiet"> per {termWords[term].per}</span>
      </span>
    </label>
  );
}
