import { csvStatement, jsonStatement } from "@ironlease/statement";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "#ui/button.tsx";
import { download } from "#ui/download.ts";
import { ErrorNotice } from "#ui/error-notice.tsx";
import { SelectField, TextField } from "#ui/field.tsx";
import { Download, ShieldCheck } from "#ui/icons.ts";
import { Panel } from "#ui/panel.tsx";
import { useNow } from "#ui/time.tsx";
import {
  fileNameOf,
  periodChoices,
  periodOf,
  type Period,
  type PeriodChoice,
} from "#account/shared/period.ts";
import { useVerification } from "./use-verification.ts";
import { readStatement, verifyPeriod } from "./verification.ts";
import { VerificationResult } from "./verification-result.tsx";

const types = { json: "application/json", csv: "text/csv" } as const;

/** Saves the statement of a period, or verifies it. */
export function PeriodPanel({ canVerify }: { readonly canVerify: boolean }) {
  const [choice, setChoice] = useState<PeriodChoice>("this-month");
  const [days, setDays] = useState({ first: "", last: "" });
  const period = periodOf(choice, days, new Date(useNow(60_000)));
  const verification = useVerification(verifyPeriod);
  const saving = useMutation({ mutationFn: save });
  const change = (apply: () => void) => {
    apply();
    // The result belongs to the period that was verified.
    verification.reset();
    saving.reset();
  };
  return (
    <Panel
      title="Signed statement"
      description="Every entry of a period with its hash, and the service’s signature. Keep the files: if your history is ever rewritten, an old statement proves it."
    >
      <div className="flex flex-col gap-5">
        <div className="grid gap-4 sm:grid-cols-3">
          <SelectField<PeriodChoice>
            name="period"
            label="Period"
            hint="Days are in UTC"
            value={choice}
            options={(Object.entries(periodChoices) as [PeriodChoice, string][]).map(
              ([value, label]) => ({ value, label }),
            )}
            onChange={(next) => change(() => setChoice(next))}
          />
          {choice === "custom" && (
            <>
              <TextField
                name="from"
                label="First day"
                type="date"
                value={days.first}
                onChange={(first) => change(() => setDays({ ...days, first }))}
              />
              <TextField
                name="to"
                label="Last day"
                type="date"
                problem={
                  days.last !== "" && days.first > days.last
                    ? "must not be before the first day"
                    : undefined
                }
                value={days.last}
                onChange={(last) => change(() => setDays({ ...days, last }))}
              />
            </>
          )}
        </div>
        <div className="flex flex-wrap gap-2 max-sm:flex-col">
          {canVerify && (
            <Button
              variant="primary"
              icon={<ShieldCheck aria-hidden className="size-4" />}
              disabled={period === undefined}
              isPending={verification.isPending}
              onClick={() => period !== undefined && verification.mutate(period)}
            >
              Verify in this browser
            </Button>
          )}
          {(["json", "csv"] as const).map((format) => (
            <Button
              key={format}
              icon={<Download aria-hidden className="size-4" />}
              disabled={period === undefined}
              isPending={saving.isPending && saving.variables.format === format}
              onClick={() => period !== undefined && saving.mutate({ period, format })}
            >
              Download {format.toUpperCase()}
            </Button>
          ))}
        </div>
        {saving.error !== null && <ErrorNotice error={saving.error} />}
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

/** Writes the bytes that the service sends: both formats have one spelling for each statement. */
async function save({
  period,
  format,
}: {
  readonly period: Period;
  readonly format: "json" | "csv";
}): Promise<void> {
  const { entries, ...frame } = await readStatement(period);
  const write = format === "csv" ? csvStatement : jsonStatement;
  const chunks: string[] = [];
  for await (const chunk of write(frame, [entries])) chunks.push(chunk);
  download(fileNameOf(period, format, new Date()), types[format], chunks.join(""));
}
