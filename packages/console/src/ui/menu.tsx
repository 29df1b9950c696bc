import { Menu as BaseMenu } from "@base-ui/react/menu";
import type { ReactNode } from "react";
import { Button, IconButton } from "./button.tsx";
import { classNames } from "./class-names.ts";
import { ChevronDown, Ellipsis } from "./icons.ts";
import { useOverlayRoot } from "./overlay-root.tsx";

export interface MenuAction {
  readonly label: string;
  readonly icon?: ReactNode;
  /** Why the action is not possible now. The item is then disabled and says so. */
  readonly problem?: string | undefined;
  /** Deletes or ends something. */
  readonly isDangerous?: boolean;
  /** Starts a group: a line above the item. */
  readonly startsGroup?: boolean;
  readonly onChoose: () => void;
}

/**
 * A menu of actions. Open dialogs from `onChoose`, and keep them outside the menu. Uses Base UI's
 * positioning (20 kB), so only lazily loaded pages may import it.
 */
export function Menu({
  label,
  actions,
  isIconOnly = false,
}: {
  /** "Actions"; of an icon alone, what it acts on: "Actions for web1". */
  readonly label: string;
  readonly actions: readonly MenuAction[];
  /** For table rows: three dots instead of the label. */
  readonly isIconOnly?: boolean;
}) {
  const container = useOverlayRoot();
  return (
    <BaseMenu.Root modal={false}>
      <BaseMenu.Trigger
        render={
          isIconOnly ? (
            <IconButton
              label={label}
              // In line with the edge of the cell, which the dots are farther from than the button.
              className="-mx-2.5"
              icon={<Ellipsis aria-hidden className="size-4" />}
            />
          ) : (
            <Button>
              {label}
              <ChevronDown aria-hidden className="-mr-1 size-4" />
            </Button>
          )
        }
      />
      <BaseMenu.Portal container={container}>
        <BaseMenu.Positioner
          align="end"
          sideOffset={4}
          collisionPadding={8}
          className="z-30 outline-none"
        >
          <BaseMenu.Popup className="max-h-(--available-height) max-w-[min(20rem,90vw)] min-w-48 overflow-y-auto rounded-lg border border-line bg-surface p-1 text-sm shadow-float outline-none">
            {actions.map((action) => (
              <Item key={action.label} action={action} />
            ))}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}

function Item({ action }: { readonly action: MenuAction }) {
  const { label, icon, problem, isDangerous = false, startsGroup = false, onChoose } = action;
  return (
    <>
      {startsGroup && <BaseMenu.Separator className="-mx-1 my-1 h-px bg-line" />}
      <BaseMenu.Item
        disabled={problem !== undefined}
        onClick={onChoose}
        className={classNames(
          "flex min-h-10 cursor-pointer items-center gap-2.5 rounded-md px-3 py-2 outline-none data-disabled:cursor-not-allowed data-disabled:text-quiet data-highlighted:bg-raised",
          isDangerous && problem === undefined && "text-bad",
        )}
      >
        {icon}
        <span className="flex min-w-0 flex-col">
          <span className="font-medium">{label}</span>
          {problem !== undefined && <span className="text-xs">{problem}</span>}
        </span>
      </BaseMenu.Item>
    </>
  );
}
