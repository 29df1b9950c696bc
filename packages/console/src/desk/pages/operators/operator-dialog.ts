import type { OperatorRecord } from "@ironlease/client/operator";

/** A dialog about one operator. */
export interface OperatorDialog {
  readonly operator: OperatorRecord;
  readonly onClose: () => void;
}
