import { html, type Html } from '../../shared/html.ts';
import {
  errorsOf,
  groupsOf,
  recordsOf,
  type Document,
  type DocumentedError,
  type OperationGroup,
} from './reference-document.ts';
import { fieldList, prose } from './reference-fields.ts';
import { guideOf, type GuideSection } from './reference-guide.ts';
import {
  breakable,
  methodLabel,
  renderOperation,
  type OperationView,
} from './reference-operation.ts';
import { renderWebhooks } from './reference-webhooks.ts';

export type Api = 'v2' | 'store';

interface Facts {
  api: Api;
  /** The base URL of the API. */
  base: string;
  /** The URL of the OpenAPI document. */
  source: string;
  /** The name of the store. */
  store: string;
}

/** The page in two parts: header and sidebar, and the main part. */
export interface ReferencePage {
  before: Html;
  main: Html;
}

const APIS: Record<Api, string> = { v2: 'API v2', store: 'Store API' };

/** An error that at least this share of operations can return is explained once, at the top. */
const GENERAL_SHARE = 1 / 6;

/** Renders the OpenAPI document as a page without scripts or external resources. */
export function renderReference(document: Document, facts: Facts): ReferencePage {
  const groups = groupsOf(document);
  const general = generalErrors(groups, document);
  const records = recordsOf(document);
  const view: OperationView = {
    document,
    base: facts.base,
    linked: new Set(records.map(([name]) => name)),
    general: new Set(general.map(({ code }) => code)),
  };
  const guide = guideOf({ api: facts.api, base: facts.base, errors: general });
  const contents = renderContents(guide, groups, document);
  const before = html`<a class="skip" href="#content">Skip to the content</a>
    <header class="bar">
      <a class="brand" href="/">${facts.store}</a>
      <a class="to-contents" href="#contents">Contents</a>
      <nav aria-label="APIs">
        ${Object.entries(APIS).map(
          ([api, title]) =>
            html`<a href="/docs?api=${api}" ${api === facts.api && html`aria-current="page"`}
              >${title}</a
            >`,
        )}
      </nav>
    </header>
    <nav class="side" aria-label="Contents">${contents}</nav>`;
  const main = html`<h1>${document.info.title}</h1>
    <p class="lead">${prose(document.info.summary ?? document.info.description)}</p>
    <p class="facts">
      Version ${document.info.version} · Base URL <code>${breakable(facts.base)}</code> ·
      <a href="${facts.source}">OpenAPI document</a>
    </p>
    <details class="contents">
      <summary>Contents</summary>
      <nav id="contents" aria-label="Contents of this page">${contents}</nav>
    </details>
    ${guide.map(
      ({ id, title, body }) =>
        html`<section class="guide" id="${id}">
          <h2>${title}</h2>
          ${body}
        </section>`,
    )}
    ${groups.map((group) => renderGroup(group, view))} ${renderWebhooks(document, view)}
    <section id="records">
      <h2>Objects</h2>
      <p>The objects that responses contain.</p>
      ${records.map(
        ([name, schema]) =>
          html`<section class="record" id="schema-${name}">
            <h3>${name}</h3>
            ${fieldList(schema, { ...view, isAnswer: true })}
          </section>`,
      )}
    </section>`;
  return { before, main };
}

function renderGroup({ name, description, operations }: OperationGroup, view: OperationView): Html {
  return html`<section class="group" id="group-${name}">
    <h2>${titleOf(name)}</h2>
    <p>${prose(description)}</p>
    ${operations.map((placed) => renderOperation(placed, view))}
  </section>`;
}

function renderContents(guide: GuideSection[], groups: OperationGroup[], document: Document): Html {
  return html`<ul>
      ${guide.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
    </ul>
    ${groups.map(
      ({ name, operations }) =>
        html`<p><a href="#group-${name}">${titleOf(name)}</a></p>
          <ul>
            ${operations.map(
              ({ method, operation }) =>
                html`<li>
                  <a href="#${operation.operationId}"
                    ><span>${operation.summary}</span> ${methodLabel(method)}</a
                  >
                </li>`,
            )}
          </ul>`,
    )}
    <ul>
      ${document.webhooks && html`<li><a href="#webhooks">Events and webhooks</a></li>`}
      <li><a href="#records">Objects</a></li>
    </ul>`;
}

function titleOf(group: string): string {
  return group.charAt(0).toUpperCase() + group.slice(1);
}

function generalErrors(groups: OperationGroup[], document: Document): DocumentedError[] {
  const operations = groups.flatMap((group) => group.operations);
  const all = operations.flatMap(({ operation }) => errorsOf(operation, document));
  const byCode = Object.entries(Object.groupBy(all, ({ code }) => code));
  return byCode
    .filter(([, errors]) => errors!.length > operations.length * GENERAL_SHARE)
    .map(([, errors]) => errors![0]!)
    .toSorted((a, b) => a.status.localeCompare(b.status) || a.code.localeCompare(b.code));
}
