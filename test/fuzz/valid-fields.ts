import type { OperationId } from "@ironlease/contract";
import { Authenticator } from "#test/authenticator.ts";
import { totpCode } from "#test/totp.ts";
import type { Actor } from "./actors.ts";
import type { SeededRandom } from "./seeded-random.ts";
import { operatorsOwner, quotedUsd, type World } from "./world.ts";

type Fields = Record<string, unknown>;
export interface RequestContext {
  readonly world: World;
  readonly random: SeededRandom;
  readonly actor: Actor | undefined;
  /** The id in the path. */
  readonly id: string;
  /** The unique number of the request. */
  readonly number: number;
  readonly hosts: Readonly<Record<Actor["side"], string>>;
}
type FieldAdjustment = (context: RequestContext, fields: Fields) => Fields;

export const newPassword = ({ random }: Pick<RequestContext, "random">) =>
  `${random.pick(["correct horse ", "Пароль из слов ", "🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑"])}${random.word(8)}`;

/** A well-formed public key. No one needs to have its private key. */
export function sshKeyLine(random: SeededRandom): string {
  const part = (bytes: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    return Buffer.concat([length, bytes]);
  };
  const blob = Buffer.concat([part(Buffer.from("ssh-ed25519")), part(random.bytes(32))]);
  return `ssh-ed25519 ${blob.toString("base64")} ${random.word(5)}`;
}

function offer({ world, random }: RequestContext): { configId: string; regionId: string } {
  const { configurations } = world.catalogue;
  const offers = configurations.flatMap(({ id: configId, offers }) =>
    offers.map(({ regionId }) => ({ configId, regionId })),
  );
  return random.pick(offers) ?? { configId: "", regionId: "" };
}

const anyOperator: FieldAdjustment = ({ world, random }) => ({
  operator: random.pick([null, ...world.operators.map(({ username }) => username)]),
});

const choice: FieldAdjustment = (context, fields) => {
  const { world, random } = context;
  const osId = random.pick(world.catalogue.operatingSystems)?.id;
  return { ...fields, ...offer(context), osId };
};

const newMachine: FieldAdjustment = (context, { state }) => ({
  assetTag: `FZ ${context.number} ${context.random.word(6)}`,
  ...offer(context),
  ...(state === undefined ? {} : { state }),
  ...machineRecord(context),
  ...(context.number % 5 === 0 && { controller: controllerOf("fuzz", "a password") }),
});

/** Nothing listens there, so a run that follows fails at once. */
function controllerOf(username: unknown, credential: unknown): Fields {
  return { username, credential, driver: "redfish", address: "https://127.0.0.1:1" };
}

/** Values that no other machine has, because they contain the number of the request and a random word. */
function machineRecord({ random, number }: RequestContext): Fields {
  const fields: Fields = {
    rack: `FZ ${number} ${random.word(6)}`,
    serialNumber: random.chance(0.2) ? null : `FZ${number}${random.word(6)}`,
    macAddresses: random.chance(0.2) ? [] : [`02${random.bytes(5).toString("hex")}`],
    switchPort: random.pick([null, "sw-1 Ethernet1/7"]),
    notes: random.pick([null, "Zwei Netzteile.\n=1+1"]),
    keepOutReason: random.pick([null, null, "Fan 3 fails"]),
  };
  const given = Object.entries(fields).filter(() => random.chance(0.5));
  const unit = random.pick([1, 42, 100]);
  return {
    ...Object.fromEntries(given),
    ...(random.chance(0.3) && { rack: fields["rack"], unit }),
  };
}

const destinations: Readonly<Record<string, string>> = {
  ETH: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  USDT: "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed",
  BTC: "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
};

function destinationFor(random: SeededRandom, asset: string): string {
  const simulated = `sim-${asset.toLowerCase()}-${random.word(12)}`;
  return random.chance(0.5) ? (destinations[asset] ?? simulated) : simulated;
}

/** The fields depend on the kind of work item, which refuses those of other kinds. */
const completion: FieldAdjustment = ({ world, random, id, number }, { note }) => {
  const record = world.known.record(id);
  const common = note === undefined ? {} : { note };
  const { mode } = (record?.["detail"] ?? {}) as { mode?: unknown };
  if (record?.["kind"] === "PROVISION") return { ...common, hostname: `fz${number}.example.com` };
  if (record?.["kind"] === "WITHDRAWAL")
    return { ...common, transactionId: `0x${random.word(20)}` };
  if (record?.["kind"] === "DDOS" && mode === "ADVANCED") return { ...common, quoteUsd: "19.5" };
  return common;
};

const failure: FieldAdjustment = ({ world, id }, { machineState, ...fields }) => {
  const isDelivery = world.known.record(id)?.["kind"] === "PROVISION";
  return isDelivery && machineState !== undefined ? { ...fields, machineState } : fields;
};

const period: FieldAdjustment = ({ random }, fields) => ({
  ...("from" in fields && { from: random.pick(["2020-02-29", "2026-11-01T09:30:00Z"]) }),
  ...("to" in fields && { to: random.pick(["2026-12-01", "2100-01-01T00:00:00.001Z"]) }),
});

const credentials: FieldAdjustment = ({ actor }) => ({
  username: actor?.username,
  password: actor?.password,
});

/** Adjusts generated fields where a schema cannot express which values exist or go together. */
export const adjustments: Partial<Record<OperationId, FieldAdjustment>> = {
  register: (context) => ({
    username: `fz${context.number}-${context.random.word(6)}`,
    password: newPassword(context),
  }),
  signIn: credentials,
  recover: (context) => ({
    username: context.actor?.username,
    recoveryCode: context.actor?.recoveryCode,
    newPassword: newPassword(context),
  }),
  changePassword: (context) => ({
    currentPassword: context.actor?.password,
    newPassword: newPassword(context),
  }),
  closeAccount: (context) => ({ password: context.actor?.password }),
  createApiKey: ({ random }, { allowedNetworks, ...fields }) => ({
    ...fields,
    ...(allowedNetworks === undefined
      ? {}
      : { allowedNetworks: random.pick([null, ["203.0.113.0/24"], ["::1", "127.0.0.1"]]) }),
    expiresAt: random.pick([
      null,
      new Date(Date.now() + random.int(10 ** 6, 10 ** 10)).toISOString(),
    ]),
  }),
  setContact: ({ random }, fields) => ({ ...fields, email: `${random.word(8)}@example.com` }),
  addSshKey: ({ random }, fields) => ({ ...fields, publicKey: sshKeyLine(random) }),
  placeOrder: (context, fields) => ({
    ...choice(context, fields),
    quantity: context.random.chance(0.9) ? 1 : context.random.int(1, 4),
    ...(fields["sshPublicKey"] === undefined ? {} : { sshPublicKey: sshKeyLine(context.random) }),
  }),
  readQuote: choice,
  requestAction: ({ random }, { action }) =>
    action === "mount_iso"
      ? { action, isoUrl: `https://iso.example.com/${random.word(5)}.iso` }
      : { action },
  setReverseDns: ({ random }) => ({
    ptr: random.pick(["", null, `${random.word(5)}.example.com`, "bücher.example"]),
  }),
  addWithdrawalAddress: ({ random }, { asset, label }) => ({
    asset,
    destination: destinationFor(random, String(asset)),
    label,
  }),
  requestWithdrawal: ({ random }, fields) => {
    const asset = String(fields["asset"]);
    const destination = destinationFor(random, asset);
    const cents = random.chance(0.1) ? random.int(500_000, 600_000) : random.int(100, 5_000);
    return { asset, destination, usd: random.chance(0.5) ? cents / 100 : (cents / 100).toFixed(2) };
  },
  readStatement: period,
  listLedgerEntries: (context, fields) => ({ ...fields, ...period(context, fields) }),
  openThread: ({ world, random, actor }, { subject, text }) => ({
    subject,
    text,
    ...(random.chance(0.7) ? { serverId: world.known.pick(random, actor?.id ?? "", "srv") } : {}),
  }),
  createWebhook: ({ random }, { events }) => ({
    url: `https://hooks.example.com/${random.word(5)}`,
    ...(events === undefined ? {} : { events: [...new Set(events as readonly string[])] }),
  }),
  writeToCustomer: ({ world, random }, { subject, text }) => ({
    ...(subject === undefined ? {} : { subject }),
    text,
    ...random.pick([
      { accountId: random.pick(world.funded)?.id },
      { serverId: world.known.pick(random, operatorsOwner, "srv") },
      { workId: world.known.pick(random, operatorsOwner, "wrk") },
    ]),
  }),
  answerThread: ({ world, random }, { text = "Done." }) =>
    random.chance(0.5)
      ? { text }
      : {
          sealed: {
            ...world.sealed,
            ...(random.chance(0.5) && {
              expiresAt: new Date(Date.now() + random.int(10 ** 6, 10 ** 10)).toISOString(),
            }),
          },
        },
  addSavedReply: ({ number }, { text }) => ({ name: `Reply ${number}`, text }),
  changeSavedReply: ({ number }, { text }) => ({ name: `Reply ${number}`, text }),
  publishNotice: ({ world, random }, { kind, title, text }) => ({
    kind,
    title,
    text,
    startsAt: new Date(Date.now() - random.int(0, 10 ** 6)).toISOString(),
    endsAt: new Date(Date.now() + random.int(1, 10 ** 6)).toISOString(),
    ...random.pick([
      {},
      { regionIds: [random.pick(world.catalogue.regions)?.id] },
      { serverIds: [world.known.pick(random, operatorsOwner, "srv")] },
    ]),
  }),
  assignThread: anyOperator,
  assignWork: anyOperator,
  signInOperator: (context) => ({
    ...credentials(context, {}),
    ...(context.actor?.totpSecret === "" ? {} : { totp: codeNow(context) }),
  }),
  addOperator: ({ number }, { role }) => ({ username: `hired${number}`, role }),
  changeOperator: ({ random }, { role }) => ({
    ...(role === undefined ? {} : { role }),
    disabled: random.chance(0.5),
    allowedNetworks: random.pick([null, ["203.0.113.0/24", "2001:db8::/32"]]),
  }),
  changeOperatorPassword: (context) => ({
    currentPassword: context.actor?.password,
    newPassword: newPassword(context),
  }),
  confirmSecondFactor: (context) => ({ code: codeNow(context) }),
  finishPasskey: (context, { name }) => ({ name, credential: newPasskey(context, "account") }),
  finishOperatorPasskey: (context, { name }) => ({
    ...{ name, credential: newPasskey(context, "operator") },
  }),
  finishPasskeySignIn: (context) => ({ credential: assertion(context, "account") }),
  finishOperatorPasskeySignIn: (context) => ({ credential: assertion(context, "operator") }),
  confirmTotp: (context) => ({ code: codeNow(context) }),
  offerQuote: ({ random }) => ({ quoteUsd: random.pick([quotedUsd, "19.5", 0]) }),
  acceptQuote: ({ random }) => ({ usd: random.chance(0.8) ? quotedUsd : 19.5 }),
  tickWork: ({ world, random, id }, { ticked }) => {
    const lines = world.known.record(id)?.["checklist"] as readonly { line: string }[] | undefined;
    return { line: random.pick(lines ?? [])?.line ?? "A line", ticked };
  },
  setChecklist: ({ number }) => ({ lines: [`Step ${number}`, "Compare the asset tag"] }),
  completeWork: completion,
  failWork: failure,
  addMachines: (context, fields) =>
    context.random.chance(0.5)
      ? newMachine(context, fields)
      : { machines: [newMachine(context, {}), newMachine(context, fields)] },
  changeMachine: (context, { state }) => {
    const { random, number } = context;
    if (random.chance(0.4)) return { state: state ?? "FREE" };
    const assetTag = `FZ* ${number} ${random.word(4)}`;
    // Clearing a rack takes its unit with it.
    return random.chance(0.5) ? { assetTag } : { assetTag, unit: null, ...machineRecord(context) };
  },
  setController: ({ random, number }, { username, credential }) => ({
    ...controllerOf(username, credential),
    ...(random.chance(0.5) ? { certificateSha256: `${number % 10}`.repeat(64) } : {}),
  }),
  addSubnet: ({ world, random, number }) => {
    const [b, c, host] = [(number >> 12) & 255, (number >> 4) & 255, (number & 15) * 16];
    const reverseZone =
      random.pick([`${host}-28.`, `${host}/28.`, ""]) + `${c}.${b}.11.in-addr.arpa`;
    return {
      regionId: random.pick(world.catalogue.regions)?.id,
      cidr: `11.${b}.${c}.${host}/28`,
      ...(random.chance(0.5) ? { reverseZone } : {}),
    };
  },
  // All subnets of the world but its pools are IPv4.
  changeSubnet: ({ random }) => ({ vlan: random.pick([null, random.int(1, 4094)]) }),
  replaceCatalogue: ({ world, number }) => {
    const [first, ...others] = world.catalogue.configurations;
    const scheduled = { from: new Date(Date.now() + number).toISOString(), weeklyUsd: 9 };
    const copy = {
      id: "fuzz",
      offers: [
        {
          ...{ regionId: world.catalogue.regions[0]?.id, weeklyUsd: 8, monthlyUsd: 30 },
          ...{ hidden: number % 2 === 0, scheduledPrices: [{ ...scheduled, monthlyUsd: 31.5 }] },
        },
      ],
    };
    const renamed =
      first === undefined
        ? []
        : [
            { ...first, name: `Renamed ${number}` },
            { ...first, ...copy },
          ];
    return { ...world.catalogue, configurations: [...renamed, ...others] };
  },
  adjustBalance: ({ random }, fields) => ({
    ...fields,
    usd: random.chance(0.8) ? random.int(1, 500) : `-${random.int(1, 9)}.25`,
  }),
  setRate: ({ random }) => ({
    usd: random.pick([random.int(70, 90), `${random.int(70, 90)}.5`, "9.99"]),
    validUntil: new Date(Date.now() + random.int(10 ** 6, 10 ** 7)).toISOString(),
  }),
  simulatePayment: ({ world, random, number }, { confirmations }) => ({
    address: random.pick(world.known.addresses) ?? "sim-btc-none",
    amount: `0.${random.int(1, 99)}`,
    ...(confirmations === undefined ? {} : { confirmations }),
    ...(random.chance(0.5) ? { transactionId: `fz-${number}` } : {}),
  }),
};

function codeNow({ actor }: RequestContext): string {
  return totpCode(actor?.totpSecret ?? "", Date.now());
}

function newPasskey({ hosts, actor }: RequestContext, side: Actor["side"]): object {
  const authenticator = new Authenticator(originOf(hosts[side]));
  if (actor !== undefined) actor.authenticator = authenticator;
  return authenticator.create(actor?.passkeyOptions ?? noOptions);
}

function assertion({ world, hosts }: RequestContext, side: Actor["side"]): object {
  const { authenticators, offered } = world.passkeys[side];
  const authenticator = authenticators.at(-1) ?? new Authenticator(originOf(hosts[side]));
  return authenticator.get(offered.shift() ?? noOptions);
}

const noOptions = {
  rp: { id: "localhost" },
  rpId: "localhost",
  user: { id: "eA" },
  challenge: "eA",
};

/** Passkeys belong to a host name, never to an address. */
function originOf(host: string): string {
  return `https://localhost:${host.slice(host.lastIndexOf(":") + 1)}`;
}
