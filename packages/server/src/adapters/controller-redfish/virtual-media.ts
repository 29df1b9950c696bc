import { ControllerRefused } from "#ports/controllers.ts";
import { at, firstLink, linksIn, pathIn, text, texts } from "./redfish-fields.ts";
import { NotThere, type Fields, type RedfishHttp } from "./redfish-http.ts";

const maxDevices = 10;

/** Ejects what is in the CD drive and inserts the image. */
export async function insertImage(http: RedfishHttp, path: string, url: string): Promise<void> {
  const { body: drive } = await http.get(path, observeMedia);
  if (drive["Inserted"] === true) {
    const eject = actionOf(drive, "EjectMedia");
    const { status } = await http.send("POST", eject, {});
    if (status >= 300) {
      throw new ControllerRefused(`The controller refused to eject the image (${status}).`);
    }
  }
  const insert = actionOf(drive, "InsertMedia");
  const full = { Image: url, Inserted: true, WriteProtected: true };
  let { status } = await http.send("POST", insert, full);
  // Older controllers refuse fields that they do not know.
  if (status === 400) ({ status } = await http.send("POST", insert, { Image: url }));
  if (status >= 300) {
    throw new ControllerRefused(`The controller refused the image (${status}).`);
  }
}

export async function insertedImage(http: RedfishHttp, path: string): Promise<string | undefined> {
  const { body: drive } = await http.get(path, observeMedia);
  return drive["Inserted"] === true ? text(drive["Image"]) : undefined;
}

/** Newer controllers have virtual media below the system, older ones below the manager. */
export async function findDrive(http: RedfishHttp, owners: readonly Fields[]): Promise<string> {
  for (const owner of owners) {
    const collection = firstLink(owner["VirtualMedia"]);
    if (collection === undefined) continue;
    for (const path of await membersOf(http, collection)) {
      const { body } = await http.get(path, observeMedia);
      if (texts(body["MediaTypes"]).some((type) => type === "CD" || type === "DVD")) return path;
    }
  }
  throw new ControllerRefused(
    "The controller has no virtual CD drive. Mount the image in the controller's own page.",
  );
}

async function membersOf(http: RedfishHttp, collection: string): Promise<readonly string[]> {
  try {
    const { body } = await http.get(collection);
    return linksIn(body["Members"]).slice(0, maxDevices);
  } catch (error) {
    if (error instanceof NotThere) return [];
    throw error;
  }
}

function actionOf(drive: Fields, name: string): string {
  const target = pathIn(at(drive, "Actions", `#VirtualMedia.${name}`)["target"]);
  if (target === undefined) throw new ControllerRefused(`The controller does not offer ${name}.`);
  return target;
}

function observeMedia(drive: Fields): string {
  return drive["Inserted"] === true
    ? `inserted ${text(drive["Image"]) ?? "an image"}`
    : `no image, ${texts(drive["MediaTypes"]).join(", ")}`;
}
