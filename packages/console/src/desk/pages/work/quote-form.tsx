import type { OfferQuoteRequest, WorkItem } from "@ironlease/client/operator";
import { useEffect, useRef, useState } from "react";
import { Button } from "#ui/button.tsx";
import { TextField } from "#ui/field.tsx";
import { Form } from "#ui/form.tsx";
import { client } from "#desk/data/client.ts";
import { useWorkStep } from "./use-work-step.ts";

/** Offers the customer a price for ADVANCED, or another one while they have not accepted. */
export function QuoteForm({ item }: { readonly item: WorkItem }) {
  const [usd, setUsd] = useState("");
  const offer = useWorkStep((request: OfferQuoteRequest) => client.offerQuote(request));
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus();
  }, []);
  const isChange = item.waitingSince !== undefined;
  return (
    <Form
      label={isChange ? "Change the offer" : "Offer a quote"}
      error={offer.error}
      onSubmit={() => offer.mutate({ id: item.id, quoteUsd: usd.trim() })}
    >
      <TextField
        ref={field}
        name="quoteUsd"
        label="Price per term"
        hint="The customer has 14 days to accept it. Until then, the request waits."
        prefix="$"
        inputMode="decimal"
        required
        value={usd}
        onChange={setUsd}
        autoComplete="off"
        isMono
      />
      <div>
        <Button type="submit" isPending={offer.isPending}>
          {isChange ? "Change offer" : "Offer quote"}
        </Button>
      </div>
    </Form>
  );
}
