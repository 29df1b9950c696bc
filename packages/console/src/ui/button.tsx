import { Link } from "@tanstack/react-router";
import { LoaderCircle } from "./icons.ts";
import type { ComponentProps, ReactNode } from "react";
import { classNames } from "./class-names.ts";

type Variant = "primary" | "secondary" | "quiet" | "danger";
type Size = "medium" | "small";

const base =
  "inline-flex items-center justify-center gap-2 rounded-md font-medium whitespace-nowrap select-none transition-colors duration-100 disabled:cursor-not-allowed aria-disabled:cursor-not-allowed";

const variants: Readonly<Record<Variant, string>> = {
  primary:
    "bg-action text-on-action hover:bg-action-strong disabled:bg-raised disabled:text-quiet aria-disabled:bg-raised aria-disabled:text-quiet",
  secondary:
    "border border-control bg-surface text-text hover:bg-raised disabled:border-line disabled:text-quiet disabled:hover:bg-surface",
  quiet: "text-text hover:bg-raised disabled:text-quiet disabled:hover:bg-transparent",
  danger:
    "bg-bad text-on-bad hover:brightness-110 disabled:bg-raised disabled:text-quiet disabled:hover:brightness-100",
};

const sizes: Readonly<Record<Size, string>> = {
  medium: "min-h-11 px-4 text-sm",
  small: "min-h-9 px-3 text-sm",
};

interface Appearance {
  readonly variant?: Variant;
  readonly size?: Size;
  readonly icon?: ReactNode;
}

type ButtonProps = Omit<ComponentProps<"button">, "type"> &
  Appearance & {
    readonly type?: "button" | "submit";
    /** Shows a spinner and ignores further clicks. */
    readonly isPending?: boolean;
  };

export function Button({
  variant = "secondary",
  size = "medium",
  icon,
  isPending = false,
  type = "button",
  className,
  children,
  disabled,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      disabled={disabled === true || isPending}
      aria-busy={isPending || undefined}
      className={classNames(base, variants[variant], sizes[size], className)}
    >
      {isPending ? <Spinner /> : icon}
      {children}
    </button>
  );
}

type LinkButtonProps = Appearance & {
  readonly to: string;
  readonly search?: Readonly<Record<string, unknown>>;
  readonly children: ReactNode;
  readonly className?: string;
  /** Called on navigation, for instance to close a menu. */
  readonly onGo?: (() => void) | undefined;
};

/** A link styled as a button. */
export function LinkButton({
  variant = "secondary",
  size = "medium",
  icon,
  className,
  children,
  to,
  search,
  onGo,
}: LinkButtonProps) {
  return (
    <Link
      to={to}
      search={search}
      onClick={onGo}
      className={classNames(base, variants[variant], sizes[size], className)}
    >
      {icon}
      {children}
    </Link>
  );
}

/** A link out of the console, styled as a small button: a wallet, a download. */
export function OutsideLinkButton({
  href,
  icon,
  children,
}: {
  readonly href: string;
  readonly icon?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <a href={href} className={classNames(base, variants.secondary, sizes.small)}>
      {icon}
      {children}
    </a>
  );
}

/** A button with only an icon. The label is its accessible name and tooltip. */
export function IconButton({
  label,
  icon,
  className,
  type = "button",
  ...rest
}: Omit<ButtonProps, "children" | "variant" | "size"> & { readonly label: string }) {
  return (
    <button
      {...rest}
      type={type}
      aria-label={label}
      title={label}
      className={classNames(
        "inline-flex size-9 shrink-0 items-center justify-center rounded-md text-quiet transition-colors duration-100 hover:bg-raised hover:text-text disabled:cursor-not-allowed disabled:opacity-50",
        className,
      )}
    >
      {icon}
    </button>
  );
}

function Spinner() {
  return <LoaderCircle aria-hidden className="size-4 animate-spin" />;
}
