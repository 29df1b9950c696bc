import { useState } from "react";
import { Button } from "#ui/button.tsx";
import { Dialog, DialogActions } from "#ui/dialog.tsx";
import { SelectField, TextField } from "#ui/field.tsx";
import { Form } from "#ui/form.tsx";
import { priceIn, type CatalogueDocument, type Offer } from "./offer-rows.ts";

/** Sells a configuration in another region. */
export function AddOfferDialog({
  document: { configurations, regions },
  onAdd,
  onClose,
}: {
  readonly document: CatalogueDocument;
  readonly onAdd: (configId: string, offer: Offer) => void;
  readonly onClose: () => void;
}) {
  const [configId, setConfigId] = useState(configurations[0]?.id ?? "");
  const [regionId, setRegionId] = useState(regions[0]?.id ?? "");
  const [weekly, setWeekly] = useState("");
  const [monthly, setMonthly] = useState("");
  const [isChecked, setIsChecked] = useState(false);
  const [weeklyUsd, monthlyUsd] = [priceIn(weekly), priceIn(monthly)];
  const isTaken = configurations
    .find(({ id }) => id === configId)
    ?.offers.some((offer) => offer.regionId === regionId);
  const price = (usd: number | undefined) =>
    isChecked && usd === undefined
      ? "Must be a price above 0 with at most two decimals."
      : undefined;
  return (
    <Dialog
      isOpen
      title="Add offer"
      description={<p>Nothing changes for customers until you save the catalogue.</p>}
      onClose={onClose}
    >
      <Form
        label="Offer"
        error={null}
        onSubmit={() => {
          setIsChecked(true);
          if (isTaken !== false || weeklyUsd === undefined || monthlyUsd === undefined) return;
          onAdd(configId, { regionId, weeklyUsd, monthlyUsd });
        }}
      >
        <SelectField
          name="configId"
          label="Configuration"
          value={configId}
          options={configurations.map(({ id, name }) => ({ value: id, label: `${name} (${id})` }))}
          onChange={setConfigId}
        />
        <SelectField
          name="regionId"
          label="Region"
          value={regionId}
          options={regions.map(({ id, name }) => ({ value: id, label: `${name} (${id})` }))}
          problem={isTaken === true ? "The configuration is already offered here." : undefined}
          onChange={setRegionId}
        />
        <TextField
          name="weeklyUsd"
          label="Weekly"
          prefix="$"
          inputMode="decimal"
          value={weekly}
          problem={price(weeklyUsd)}
          onChange={setWeekly}
        />
        <TextField
          name="monthlyUsd"
          label="Monthly"
          prefix="$"
          inputMode="decimal"
          value={monthly}
          problem={price(monthlyUsd)}
          onChange={setMonthly}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary">
            Add offer
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
