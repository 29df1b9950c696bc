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
  const isOffered = (configuration: string, region: string) =>
    configurations
      .find(({ id }) => id === configuration)
      ?.offers.some((offer) => offer.regionId === region) === true;
  const newRegion = (configuration: string) =>
    regions.find(({ id }) => !isOffered(configuration, id))?.id;
  // The first that another region can have.
  const first = configurations.find(({ id }) => newRegion(id) !== undefined) ?? configurations[0];
  const [configId, setConfigId] = useState(first?.id ?? "");
  const [regionId, setRegionId] = useState(newRegion(configId) ?? regions[0]?.id ?? "");
  const [weekly, setWeekly] = useState("");
  const [monthly, setMonthly] = useState("");
  const [isChecked, setIsChecked] = useState(false);
  const [weeklyUsd, monthlyUsd] = [priceIn(weekly), priceIn(monthly)];
  const isTaken = isOffered(configId, regionId);
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
          if (isTaken || weeklyUsd === undefined || monthlyUsd === undefined) return;
          onAdd(configId, { regionId, weeklyUsd, monthlyUsd });
        }}
      >
        <SelectField
          name="configId"
          label="Configuration"
          value={configId}
          options={configurations.map(({ id, name }) => ({ value: id, label: `${name} (${id})` }))}
          onChange={(id) => {
            setConfigId(id);
            setRegionId(newRegion(id) ?? regionId);
          }}
        />
        <SelectField
          name="regionId"
          label="Region"
          value={regionId}
          options={regions.map(({ id, name }) => ({ value: id, label: `${name} (${id})` }))}
          problem={isTaken ? "The configuration is already offered here." : undefined}
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
