import { classNames } from "./class-names.ts";
import { moneyText, movementText } from "./money-text.ts";

export function Money({
  usd,
  isMovement = false,
  className,
}: {
  readonly usd: number;
  readonly isMovement?: boolean;
  readonly className?: string;
}) {
  return (
    <span className={classNames("figures whitespace-nowrap", className)}>
      {isMovement ? movementText(usd) : moneyText(usd)}
    </span>
  );
}
