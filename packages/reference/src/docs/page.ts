import { errors, errorsOf, type ErrorCode, type Operation } from "@ironlease/contract";
import { tagDescription } from "#tag-descriptions.ts";
import { operationsAnswering } from "./answering.ts";
import type { Chapter } from "./chapter.ts";
import { introduction } from "./introduction.ts";
import { joined, markup, prose, type Content, type Markup } from "./markup.ts";
import { operationAnchor, operationSection } from "./operation-section.ts";
import { errorAnchor, table } from "./tables.ts";

type Listener = Operation["listener"];

const titles: Readonly<Record<Listener, { api: string; lead: string; document: string }>> = {
  account: {
    api: "API",
    lead: "Rent physical servers and pay in cryptocurrency. Order servers, manage them and track every charge.",
    document: "/api/openapi.json",
  },
  operator: {
    api: "operator API",
    lead: "Run the service: process the work queue, review withdrawals, and manage machines, the catalogue and accounts.",
    document: "/operator/openapi.json",
  },
};

export interface PageAssets {
  readonly style: string;
  readonly script: string;
  /** Runs before the first paint. */
  readonly theme: string;
  readonly icon: string;
  readonly fonts: string | undefined;
  readonly brandStyle: string | undefined;
  readonly brandName: string;
}

type OperationTable = Readonly<Record<string, Operation>>;
type Group = readonly [tag: string, members: readonly (readonly [string, Operation])[]];

/** One page for the whole reference, so that it can be searched and printed as a whole. */
export function referencePage(
  version: string,
  listener: Listener,
  described: OperationTable,
  assets: PageAssets,
): Markup {
  const { api, lead, document } = titles[listener];
  const { brandName, brandStyle, fonts } = assets;
  const name = `${brandName} ${api}`;
  const groups = [...Map.groupBy(Object.entries(described), ([, operation]) => operation.tag)];
  const everywhere = codesOfAll(Object.values(described));
  const chapters = introduction(listener, described, everywhere);
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${name} reference</title>
<meta name="description" content="Every operation of the ${name}: requests, responses and errors.">
<script src="${assets.theme}"></script>
<link rel="icon" href="${assets.icon}">
<link rel="stylesheet" href="${assets.style}">
${[fonts, brandStyle].map(styleLink)}
<script src="${assets.script}" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="bar">
<a class="brand" href="/docs"><img src="${assets.icon}" alt="" width="28" height="28"> ${brandName} <span>${api} reference</span></a>
<a class="document" href="/">Console</a>
<a class="document" href="${document}">OpenAPI</a>
<fieldset class="theme" hidden>
<legend>Theme</legend>
${themes.map(themeChoice)}
</fieldset>
<button class="open-contents" type="button" popovertarget="contents">Contents</button>
</header>
${contents(chapters, groups)}
<main id="content" tabindex="-1">
<section class="opening" aria-labelledby="introduction">
<h1 id="introduction">${name}</h1>
<p class="lead">${lead}</p>
<p class="version">Version ${version} &middot; ${Object.keys(described).length} operations</p>
</section>
${chapters.map(chapterSection)}
${groups.map((group) => groupSection(group, everywhere))}
${errorReference(described)}
</main>
<footer>Ironlease ${version}. Generated from the operation table that also binds the routes.</footer>
</body>
</html>
`;
}

function styleLink(address: string | undefined): Content {
  return address === undefined ? undefined : markup`<link rel="stylesheet" href="${address}">\n`;
}

/** The same choices and icons (Lucide's) as in the console. `theme.js` shows them, because they need it. */
const themes = [
  [
    "light",
    "Light",
    markup`<circle cx="12" cy="12" r="4"/><path d="M12 2v2M12 20v2m-7.07-17.07 1.41 1.41m11.32 11.32 1.41 1.41M2 12h2m16 0h2M6.34 17.66l-1.41 1.41M19.07 4.93l-1.41 1.41"/>`,
  ],
  [
    "dark",
    "Dark",
    markup`<path d="M20.985 12.486a9 9 0 1 1-9.473-9.472c.405-.022.617.46.402.803a6 6 0 0 0 8.268 8.268c.344-.215.825-.004.803.401"/>`,
  ],
  [
    "system",
    "System",
    markup`<rect width="20" height="14" x="2" y="3" rx="2"/><path d="M8 21h8m-4-4v4"/>`,
  ],
] as const;

function themeChoice([theme, label, icon]: (typeof themes)[number]): Markup {
  return markup`<label title="${label}"><input type="radio" name="theme" value="${theme}" aria-label="${label}"><svg viewBox="0 0 24 24" width="16" height="16" aria-hidden="true">${icon}</svg></label>\n`;
}

function codesOfAll(operations: readonly Operation[]): ReadonlySet<ErrorCode> {
  const [first, ...rest] = operations.map((operation) => new Set(errorsOf(operation)));
  return rest.reduce((common, codes) => common.intersection(codes), first ?? new Set());
}

function contents(chapters: readonly Chapter[], groups: readonly Group[]): Markup {
  const entries = chapters.map(({ anchor, title }) => entry(title, `#${anchor}`));
  return markup`<nav id="contents" popover aria-label="Contents">
<p class="filter" hidden><input type="search" name="filter" aria-label="Filter operations" placeholder="Filter operations"></p>
<ul class="parts">
<li><a href="#introduction">Introduction</a><ul>${entries}</ul></li>
${groups.map(contentsPart)}
<li><a href="#error-codes">Error codes</a></li>
</ul>
</nav>`;
}

function contentsPart([tag, members]: Group): Markup {
  const entries = members.map(([id, { method, path, summary }]) => {
    const name = markup`${summary} <span class="method ${method.toLowerCase()}">${method}</span>`;
    return entry(name, `#${operationAnchor(id)}`, `${method} ${path} ${summary} ${id}`);
  });
  return markup`<li class="operations"><a href="#${tagAnchor(tag)}">${tag}</a><ul>${entries}</ul></li>\n`;
}

/** The filter searches `words`. */
function entry(name: Content, address: string, words?: string): Markup {
  const search = words === undefined ? undefined : markup` data-search="${words.toLowerCase()}"`;
  return markup`<li${search}><a href="${address}">${name}</a></li>\n`;
}

function tagAnchor(tag: string): string {
  return `tag-${tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`;
}

function chapterSection({ anchor, title, text, examples }: Chapter): Markup {
  return markup`
<section class="chapter" aria-labelledby="${anchor}">
<div class="text">
<h2 id="${anchor}"><a href="#${anchor}">${title}</a></h2>
${text}
</div>
${examples === undefined ? undefined : markup`<div class="examples">${examples}</div>`}
</section>`;
}

function groupSection([tag, members]: Group, everywhere: ReadonlySet<ErrorCode>): Markup {
  const anchor = tagAnchor(tag);
  return markup`
<section class="group" aria-labelledby="${anchor}">
<h2 id="${anchor}"><a href="#${anchor}">${tag}</a></h2>
<p class="lead">${prose(tagDescription(tag))}</p>
${members.map(([id, operation]) => operationSection(id, operation, everywhere))}
</section>`;
}

function errorReference(described: OperationTable): Markup {
  const codes = Object.keys(errors) as ErrorCode[];
  const rows = codes.map(
    (code) =>
      [
        markup`<code id="${errorAnchor(code)}">${code}</code>`,
        errors[code].status,
        prose(errors[code].message),
        answeredBy(code, described),
      ] as const,
  );
  return markup`
<section class="group" aria-labelledby="error-codes">
<h2 id="error-codes"><a href="#error-codes">Error codes</a></h2>
<p class="lead">All error codes, by status.</p>
${table("Error codes", "all-codes", ["Code", "Status", "Message", "Returned by"], rows)}
</section>`;
}

function answeredBy(code: ErrorCode, described: OperationTable): Content {
  const answering = operationsAnswering(code, described);
  if (typeof answering === "string") return prose(answering);
  if (answering.length === 0) return "no operation";
  return joined(
    answering.map(([id, { summary }]) => markup`<a href="#${operationAnchor(id)}">${summary}</a>`),
    ", ",
  );
}
