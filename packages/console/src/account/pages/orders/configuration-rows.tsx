import type { ReadCatalogueAnswer } from "@ironlease/client";
import { classNames } from "#ui/class-names.ts";
import { Money } from "#ui/money.tsx";
import type { Offered } from "./catalogue-filter.ts";
import { priceOf, termWords, type Term } from "./order-choice.ts";

/** From the large breakpoint on, the parts are in columns, under the titles. */
const columns =
  "lg:grid lg:grid-cols-[minmax(7rem,1.1fr)_minmax(10rem,2.2fr)_minmax(4.5rem,0.7fr)_minmax(8rem,1.4fr)_minmax(8rem,1.5fr)_8.5rem] lg:items-center lg:gap-x-4";

const titles = ["Configuration", "Processor", "Memory", "Storage", "Bandwidth", "Price"] as const;

/** Configurations as radio buttons in comparable rows: parts, price of the term and availability. */
export function ConfigurationRows({
  offered,
  catalogue,
  term,
  value,
  onChange,
}: {
  readonly offered: readonly Offered[];
  readonly catalogue: ReadCatalogueAnswer;
  readonly term: Term;
  readonly value: string | undefined;
  readonly onChange: (id: string) => void;
}) {
  return (
    <fieldset className="min-w-0 overflow-hidden rounded-md border border-line">
      <legend className="sr-only">Configuration</legend>
      <div
        aria-hidden
        className={classNames(
          "hidden border-b border-line bg-raised py-2 pr-4 pl-11 text-xs font-medium text-quiet",
          columns,
        )}
      >
        {titles.map((title) => (
          <span key={title} className={classNames(title === "Price" && "text-end")}>
            {title}
          </span>
        ))}
      </div>
      <div className="divide-y divide-line">
        {offered.map((one) => (
          <Row
            key={one.configuration.id}
            offered={one}
            elsewhere={regionsWith(catalogue, one)}
            term={term}
            isChosen={one.configuration.id === value}
            onChoose={() => onChange(one.configuration.id)}
          />
        ))}
      </div>
    </fieldset>
  );
}

/** The names of the regions that have the configuration now. */
function regionsWith({ regions }: ReadCatalogueAnswer, { configuration }: Offered): string {
  return configuration.offers
    .filter(({ available }) => available > 0)
    .map(({ regionId }) => regions.find(({ id }) => id === regionId)?.name ?? regionId)
    .join(", ");
}

function Row({
  offered: { configuration, offer },
  elsewhere,
  term,
  isChosen,
  onChoose,
}: {
  readonly offered: Offered;
  readonly elsewhere: string;
  readonly term: Term;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}) {
  const { id, name, cpu, memoryGb, storage, bandwidth } = configuration;
  const { available } = offer;
  return (
    <label
      className={classNames(
        "relative block py-3 pr-4 pl-11 text-sm -outline-offset-2 transition-colors duration-100 has-focus-visible:outline-2 has-focus-visible:outline-focus",
        columns,
        isChosen && "bg-chosen-soft shadow-[inset_3px_0_var(--color-chosen)]",
        available === 0 ? "text-quiet" : !isChosen && "hover:bg-raised",
      )}
    >
      <input
        type="radio"
        name="configuration"
        value={id}
        checked={isChosen}
        disabled={available === 0}
        onChange={onChoose}
        className="absolute top-4 left-4 size-4 accent-chosen outline-none lg:top-1/2 lg:-translate-y-1/2"
      />
      <span className="flex items-baseline justify-between gap-3 font-semibold lg:contents">
        <span className="wrap-anywhere">{name}</span>
        <span className="text-end lg:order-last lg:flex lg:flex-col">
          <span>
            <Money usd={priceOf(offer, term)} />
            <span className="text-xs font-normal text-quiet"> / {termWords[term].per}</span>
          </span>
          <span className="hidden text-xs font-normal lg:inline">
            <Stock available={available} />
          </span>
        </span>
      </span>
      <span className="text-quiet lg:contents lg:text-text">
        <span className={part}>{cpu}</span>
        <span className={part}>{memoryGb} GB</span>
        <span className={part}>{storage}</span>
        <span className={lastPart}>{bandwidth}</span>
      </span>
      <span className="block text-xs lg:hidden">
        <Stock available={available} />
      </span>
      {available === 0 && elsewhere !== "" && (
        <span className="block text-xs lg:order-last lg:col-span-full">
          Available in {elsewhere}
        </span>
      )}
    </label>
  );
}

/** On narrow screens the parts are one line of text. */
const lastPart = "wrap-anywhere lg:text-text";
const part = `${lastPart} max-lg:after:content-['_·_']`;

/** A low number is worth knowing before the order is put off. */
const lowStock = 3;

function Stock({ available }: { readonly available: number }) {
  if (available === 0) return <span className="text-quiet">None available</span>;
  return (
    <span className={available <= lowStock ? "font-medium text-warn" : "text-quiet"}>
      {available <= lowStock ? `Only ${available} left` : `${available} available`}
    </span>
  );
}
