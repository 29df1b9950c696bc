import { Type } from "typebox";
import { operation } from "../../operation.ts";
import { asOperator } from "../../operator-fields.ts";
import { nullableText, nullableTime, text, time } from "../../schemas.ts";
import { asset, rateSources as sources, usdPerCoin } from "../deposits.ts";

const rate = Type.Object(
  { asset, usd: usdPerCoin, at: time, validUntil: time, sources },
  { title: "Rate" },
);

const listedRate = Type.Object(
  {
    asset,
    usd: Type.Unsafe<string | null>({
      type: ["string", "null"],
      description: "USD per coin at which a payment would be credited now, or null.",
      examples: ["80.00"],
    }),
    at: nullableTime,
    validUntil: { ...nullableTime, description: "From then on the rate is not used." },
    sources,
    error: nullableText("Why payments in this asset are not credited now, or null."),
  },
  { title: "ListedRate", examples: [listedExample()] },
);

const proposal = Type.Object(
  {
    asset,
    usd: usdPerCoin,
    at: time,
    validUntil: time,
    proposedBy: text("The operator who proposed it.", "alice"),
    expiresAt: { ...time, description: "Until then another operator can confirm it." },
  },
  { title: "RateProposal" },
);

function listedExample() {
  const [at, validUntil] = ["2026-11-15T09:30:00.000Z", "2026-11-16T09:30:00.000Z"];
  return { asset: "LTC", usd: "80.00", at, validUntil, sources: ["operator"], error: null };
}

export const operatorRates = {
  listAllRates: operation({
    ...asOperator("support"),
    tag: "Oversight",
    method: "GET",
    path: "/operator/v1/rates",
    summary: "List rates and proposed rates",
    description: "One rate per asset, from whichever source the service uses.",
    answers: {
      200: Type.Object({ rates: Type.Array(listedRate), proposals: Type.Array(proposal) }),
    },
    errors: [],
  }),
  setRate: operation({
    ...asOperator("finance"),
    tag: "Oversight",
    method: "PUT",
    path: "/operator/v1/rates/{asset}",
    summary: "Set the rate of an asset",
    description:
      "Used where the rate source is `operator`. A change of more than 20 % against the last rate, valid or not, needs two operators: the first request is recorded as a proposal and answers 202, and another operator's request for the same `usd` within 30 minutes sets the rate, valid until the earlier of both times. A proposal lapses when any other rate of the asset is set, and when its operator is disabled. On LIVE networks the first rate of an asset also needs two operators.",
    body: Type.Object(
      {
        usd: Type.Unsafe<number | string>({
          type: ["number", "string"],
          maxLength: 32,
          description: 'USD per coin, a plain decimal: 80, 80.5 or "80.00".',
          examples: ["80.00"],
          message: "must be a decimal above zero, below 1000000000000 USD",
        }),
        validUntil: Type.String({
          maxLength: 40,
          description:
            "When the rate expires. At most the configured maximum age from now (24 hours by default).",
          examples: ["2026-11-16T09:30:00.000Z"],
          message: "must be a time in UTC such as 2026-11-16T09:30:00.000Z",
        }),
      },
      { additionalProperties: false },
    ),
    answers: {
      200: rate,
      202: Type.Object(
        {
          pending: Type.Literal(true, {
            description: "The rate takes effect when another operator sends the same request.",
          }),
        },
        { title: "PendingRate" },
      ),
    },
    errors: [],
  }),
};
