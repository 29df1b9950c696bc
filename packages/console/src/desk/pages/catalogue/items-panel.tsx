import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/button.tsx";
import { Plus } from "#ui/icons.ts";
import { Menu } from "#ui/menu.tsx";
import { Panel } from "#ui/panel.tsx";
import { EmptyState } from "#ui/states.tsx";
import { Table, type Column } from "#ui/table.tsx";
import type { CatalogueDocument } from "./offer-rows.ts";
import { countProblems, type Problems } from "./problems.ts";
import {
  fieldText,
  itemsOf,
  nameOfItem,
  withItemMovedUp,
  withoutItem,
  type Item,
  type Section,
} from "./sections.ts";

interface Row {
  readonly index: number;
  readonly item: Item;
}

interface Editing {
  readonly document: CatalogueDocument;
  readonly section: Section;
  readonly problems: Problems;
  readonly canEdit: boolean;
  readonly onChange: (document: CatalogueDocument) => void;
  /** Opens the form of an item. Undefined: of a new one. */
  readonly onOpen: (index: number | undefined) => void;
}

/** A list of the catalogue with a form for each item. Edits go into the same draft as those in the JSON. */
export function ItemsPanel(editing: Editing) {
  const { document, section, canEdit, onOpen } = editing;
  const rows = itemsOf(document, section.name).map((item, index) => ({ item, index }));
  return (
    <Panel
      isFlush
      title={section.title}
      description={section.description}
      actions={
        canEdit && (
          <Button
            size="small"
            icon={<Plus aria-hidden className="size-4" />}
            onClick={() => onOpen(undefined)}
          >
            Add {section.noun}
          </Button>
        )
      }
    >
      {rows.length === 0 ? (
        <EmptyState title={`No ${section.title.toLowerCase()} yet`} />
      ) : (
        <Table
          label={section.title}
          isDense
          columns={columnsOf(editing)}
          rows={rows}
          keyOf={({ index }) => String(index)}
        />
      )}
    </Panel>
  );
}

/** Discounts are pairs of numbers, which fit everywhere. */
const isCard = ({ name }: Section) => name !== "discounts";

function columnsOf(editing: Editing): readonly Column<Row>[] {
  const { section, problems, canEdit } = editing;
  const [first, ...others] = section.fields;
  return [
    {
      title: first?.label ?? "",
      isHeading: true,
      isFreeText: true,
      cell: ({ item, index }) => {
        const count = countProblems(problems, `${section.name}.${index}`);
        return (
          <span className="flex flex-wrap items-center gap-2">
            {fieldText(item, first?.name ?? "")}
            {count > 0 && (
              <Badge tone="bad">{count === 1 ? "1 problem" : `${count} problems`}</Badge>
            )}
          </span>
        );
      },
    },
    ...others.map(({ name, label, kind }): Column<Row> => ({
      title: label,
      isNumber: kind === "whole" || kind === "percent",
      isFreeText: kind === "text",
      ...(isCard(section) && { place: "labelled" }),
      cell: ({ item }) => (
        <span
          className={kind === "id" ? "font-mono text-xs whitespace-nowrap text-quiet" : undefined}
        >
          {fieldText(item, name)}
        </span>
      ),
    })),
    ...(canEdit ? [actionsColumn(editing)] : []),
  ];
}

function actionsColumn({ document, section, onChange, onOpen }: Editing): Column<Row> {
  const isOrdered = section.name !== "discounts";
  return {
    title: "Actions",
    isTitleHidden: true,
    isNumber: true,
    ...(isCard(section) && { place: "corner" }),
    cell: ({ item, index }) => (
      <span className="inline-flex items-center gap-3.5">
        <Button size="small" onClick={() => onOpen(index)}>
          Edit<span className="sr-only"> {nameOfItem(item)}</span>
        </Button>
        <Menu
          isIconOnly
          label={`Actions for ${nameOfItem(item)}`}
          actions={[
            ...(isOrdered && index > 0
              ? [
                  {
                    label: "Move up",
                    onChoose: () => onChange(withItemMovedUp(document, section.name, index)),
                  },
                ]
              : []),
            {
              label: section.name === "regions" ? "Remove with its offers" : "Remove",
              isDangerous: true,
              onChoose: () => onChange(withoutItem(document, section.name, index)),
            },
          ]}
        />
      </span>
    ),
  };
}
