import { useState, type DragEvent } from "react";
import { classNames } from "#ui/class-names.ts";
import { FileButton } from "#ui/file-button.tsx";
import { Panel } from "#ui/panel.tsx";
import { useVerification } from "./use-verification.ts";
import { verifyFile } from "./verification.ts";
import { VerificationResult } from "./verification-result.tsx";

/** More than half a million entries. A browser may not have the memory for more. */
const maxBytes = 256 * 1_024 * 1_024;

/** Verifies a statement that the customer saved earlier, and compares it with the ledger of today. */
export function FilePanel() {
  const [isOver, setIsOver] = useState(false);
  const verification = useVerification(async (file: File, onProgress) => {
    if (file.size > maxBytes) {
      const problem = "It is larger than 256 MB. Use ironlease statement verify instead.";
      return { kind: "file", problem } as const;
    }
    return verifyFile(new Uint8Array(await file.arrayBuffer()), onProgress);
  });
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    const [file] = event.dataTransfer.files;
    if (file !== undefined && !verification.isPending) verification.mutate(file);
  };
  return (
    <Panel
      title="Check a saved statement"
      description="Verifies a file that you downloaded earlier, and compares it with your ledger today. This finds entries that were changed or removed since."
    >
      <div className="flex flex-col gap-5">
        <div
          className={classNames(
            "flex flex-col items-center gap-3 rounded-lg border border-dashed px-4 py-6 text-center text-sm sm:flex-row sm:text-start",
            isOver ? "border-chosen bg-chosen-soft" : "border-control",
          )}
          onDragOver={(event) => {
            event.preventDefault();
            setIsOver(true);
          }}
          onDragLeave={() => setIsOver(false)}
          onDrop={drop}
        >
          <FileButton accept=".json,.csv,application/json,text/csv" onRead={verification.mutate} />
          <span className="min-w-0 text-quiet wrap-anywhere">
            {verification.variables?.name ?? (
              <>
                <span className="max-sm:hidden">or drop it here. </span>
                JSON or CSV. The file stays on this device.
              </>
            )}
          </span>
        </div>
        <VerificationResult
          isPending={verification.isPending}
          progress={verification.progress}
          error={verification.error}
          result={verification.data}
        />
      </div>
    </Panel>
  );
}
