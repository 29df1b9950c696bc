import type { OnProgress } from "@ironlease/statement";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Verification } from "./verification.ts";

export interface Progress {
  readonly checked: number;
  readonly total: number;
}

/** Two frames: work that is shorter needs no pause. */
const pauseAfterMs = 32;

/** Runs a verification. Pauses often enough that the page stays responsive, and shows how far it has come. */
export function useVerification<Subject>(
  verify: (subject: Subject, onProgress: OnProgress) => Promise<Verification>,
) {
  const [progress, setProgress] = useState<Progress>();
  const run = useMutation({
    mutationFn: (subject: Subject) => {
      let pausedAt = performance.now();
      return verify(subject, async (checked, total) => {
        if (performance.now() - pausedAt < pauseAfterMs) return;
        setProgress({ checked, total });
        await new Promise((resolve) => setTimeout(resolve));
        pausedAt = performance.now();
      });
    },
    onSettled: () => setProgress(undefined),
  });
  return { ...run, progress };
}
