import { Type } from "typebox";
import { limits } from "../../limits.ts";
import { operation } from "../../operation.ts";
import { asOperator } from "../../operator-fields.ts";
import { id, text } from "../../schemas.ts";
import { messageText } from "../threads.ts";

const { savedReplyName } = limits;

const savedReply = Type.Object(
  {
    id: id("savedReply"),
    name: text("What operators choose it by.", "We are on it"),
    text: text("The start of a message.", "We are looking into it and will write again here."),
  },
  { title: "SavedReply" },
);

const body = Type.Object(
  {
    name: Type.String({
      minLength: savedReplyName.min,
      maxLength: savedReplyName.max,
      examples: ["We are on it"],
      message: `must be ${savedReplyName.min} to ${savedReplyName.max} characters`,
    }),
    text: messageText,
  },
  { additionalProperties: false },
);

const ofMessages = { ...asOperator("support"), tag: "Messages" } as const;

export const savedReplies = {
  listSavedReplies: operation({
    ...ofMessages,
    method: "GET",
    path: "/operator/v1/saved-replies",
    summary: "List saved replies",
    description: "All of them, by name.",
    answers: { 200: Type.Object({ savedReplies: Type.Array(savedReply) }) },
    errors: [],
  }),
  addSavedReply: operation({
    ...ofMessages,
    method: "POST",
    path: "/operator/v1/saved-replies",
    summary: "Save a reply",
    description: `All operators share the saved replies. There can be up to ${limits.savedReplies}.`,
    body,
    answers: { 201: savedReply },
    errors: ["conflict", "limit_reached"],
  }),
  changeSavedReply: operation({
    ...ofMessages,
    method: "PUT",
    path: "/operator/v1/saved-replies/{id}",
    summary: "Change a saved reply",
    body,
    answers: { 200: savedReply },
    errors: ["conflict"],
  }),
  removeSavedReply: operation({
    ...ofMessages,
    method: "DELETE",
    path: "/operator/v1/saved-replies/{id}",
    summary: "Delete a saved reply",
    answers: { 204: null },
    errors: [],
  }),
};
