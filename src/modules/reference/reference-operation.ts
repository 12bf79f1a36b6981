import { html, type Html } from '../../shared/html.ts';
import { STATUS_CODES } from '../../shared/node-http.ts';
import { curlOf } from './reference-curl.ts';
import {
  errorsOf,
  goodResponseOf,
  type DocumentedError,
  type PlacedOperation,
} from './reference-document.ts';
import { coloured, exampleOf } from './reference-example.ts';
import { fieldList, parameterList, prose, typeText, type FieldsView } from './reference-fields.ts';

export interface OperationView extends FieldsView {
  /** The base URL of the API. */
  base: string;
  /** Codes that most operations return, explained once at the top of the page. */
  general: ReadonlySet<string>;
}

/** Descriptions of access levels, by `x-access`. */
const CALLERS: Record<string, string> = {
  public: 'Public, no authentication.',
  user: 'Any authenticated user.',
  owner: 'The affiliate who owns it, managers and administrators.',
  admin: 'Managers and administrators.',
  'plugin-admin': 'Administrators only.',
};

const PLACES: Record<string, string> = {
  path: 'Path',
  query: 'Query',
  header: 'Headers',
};

export function renderOperation(placed: PlacedOperation, view: OperationView): Html {
  const { method, path, operation } = placed;
  const { operationId, summary, description } = operation;
  return html`<section class="operation" id="${operationId}" aria-labelledby="${operationId}-name">
    <h3 id="${operationId}-name">
      <a href="#${operationId}">${summary}</a>
    </h3>
    <p class="address">${methodLabel(method)} <code>${breakable(path)}</code></p>
    <div class="text">
      ${description && html`<p>${prose(description)}</p>`}
      <p class="access">${accessText(placed)}</p>
      ${Object.entries(PLACES).map(([place, title]) => parametersIn(placed, place, title, view))}
      ${bodyFields(placed, view)} ${answerType(placed, view)} ${errorList(placed, view)}
    </div>
    <div class="example">
      ${codeBox('Request', curlOf(placed, view.document, view.base), `Request: ${summary}`)}
      ${answerExample(placed, view)}
    </div>
  </section>`;
}

export function methodLabel(method: string): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`;
}

/** Allows line breaks after slashes in long paths. */
export function breakable(path: string): Html {
  return html`${path.split('/').map((part, i) => html`${i > 0 && html`/<wbr />`}${part}`)}`;
}

/** Code in a scrollable box, reachable with the keyboard. */
export function codeBox(title: string, code: Html | string, label: string): Html {
  return html`<figure class="code">
    <figcaption>${title}</figcaption>
    <pre tabindex="0" role="group" aria-label="${label}"><code>${code}</code></pre>
  </figure>`;
}

function accessText({ operation }: PlacedOperation): Html {
  const access = operation['x-access'] ?? '';
  const scope = operation['x-scope'];
  return html`<strong>${CALLERS[access] ?? access}</strong> ${
      scope
        ? html`Requires the scope <code>${scope}</code>.`
        : access !== 'public' && 'No scope required.'
    }`;
}

function parametersIn(
  { operation }: PlacedOperation,
  place: string,
  title: string,
  view: FieldsView,
): Html | undefined {
  const parameters = operation.parameters.filter((parameter) => parameter.in === place);
  if (parameters.length === 0) return undefined;
  return html`<h4>${title}</h4>
    ${parameterList(parameters, view)}`;
}

function bodyFields({ operation }: PlacedOperation, view: FieldsView): Html | undefined {
  const content = operation.requestBody?.content;
  const body = content?.['application/json'];
  if (!body) return undefined;
  const isForm = 'multipart/form-data' in content;
  // The fields of a body are always shown here, even if its schema has a name.
  return html`<h4>Body</h4>
    ${isForm && html`<p>JSON, or <code>multipart/form-data</code> with the bytes of the file.</p>`}
    ${fieldList(body.schema, view)}`;
}

function answerType({ operation }: PlacedOperation, view: FieldsView): Html | undefined {
  const good = goodResponseOf(operation, view.document);
  if (!good) return undefined;
  const [[type, content] = ['', undefined]] = Object.entries(good.response.content ?? {});
  const isJson = type === 'application/json';
  return html`<h4>Response</h4>
    <p>
      <code>${good.status}</code> ${statusText(good.status)}${
        content && html`: ${isJson ? typeText(content.schema, view) : html`<code>${type}</code>`}`
      }
    </p>`;
}

function answerExample({ operation }: PlacedOperation, view: FieldsView): Html | undefined {
  const good = goodResponseOf(operation, view.document);
  const [[type, content] = ['', undefined]] = Object.entries(good?.response.content ?? {});
  if (!good || !content) return undefined;
  const example = exampleOf(content, view.document);
  if (type !== 'application/json' && !example) return undefined;
  return codeBox(
    `Response ${good.status}`,
    type === 'application/json' ? coloured(example) : String(example),
    `Response: ${operation.summary}`,
  );
}

function errorList({ operation }: PlacedOperation, view: OperationView): Html | undefined {
  const errors = errorsOf(operation, view.document);
  const own = errors.filter(({ code }) => !view.general.has(code));
  const general = errors.filter(({ code }) => view.general.has(code));
  if (errors.length === 0) return undefined;
  return html`<h4>Errors</h4>
    ${own.length > 0 && errorTable(own)}
    <p class="also">
      ${own.length > 0 && 'General errors: '}${general.map(
        ({ code }, i) => html`${i > 0 && ', '}<a href="#error-${code}"><code>${code}</code></a>`,
      )}
    </p>`;
}

/** With `anchors`, the entries are the link targets of the operations. */
export function errorTable(errors: DocumentedError[], options: { anchors?: boolean } = {}): Html {
  return html`<dl class="errors">
    ${errors.map(
      ({ status, code, message }) =>
        html`<div ${options.anchors && html`id="error-${code}"`}>
          <dt><span class="status">${status}</span> <code>${code}</code></dt>
          <dd>${prose(message)}</dd>
        </div>`,
    )}
  </dl>`;
}

function statusText(status: string): string {
  return STATUS_CODES[status] ?? '';
}
