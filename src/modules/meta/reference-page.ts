import { html, type Html } from '../../shared/html.ts';

/** The parts of an OpenAPI document that the page shows. */
export interface Document {
  info: { title: string; version: string; description?: string };
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Response> };
}

interface DocumentedOperation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  'x-access': string;
  'x-scope'?: string;
  parameters: {
    name: string;
    in: string;
    required: boolean;
    description?: string;
    schema: Schema;
  }[];
  requestBody?: { content: { 'application/json': { schema: Schema } } };
  responses: Record<string, Response | { $ref: string }>;
}

interface Response {
  description: string;
  /** By its type: JSON, save for files. */
  content?: Record<string, { schema: Schema }>;
}

interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  const?: unknown;
  enum?: string[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  default?: unknown;
  description?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
}

interface Links {
  base: string;
  source: string;
  other: { api: string; title: string };
}

/** A page for people made of the document for programs: no script, and nothing from outside. */
export function renderReference(document: Document, links: Links): Html {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  return html`<h1>${document.info.title}</h1>
    <p>${document.info.description} Version ${document.info.version}.</p>
    <p>
      Base address <code>${links.base}</code> · <a href="${links.source}">OpenAPI document</a> ·
      <a href="/docs?api=${links.other.api}">${links.other.title}</a>
    </p>
    <p>
      Send an API key (<code>Authorization: Bearer svc_…</code>) or a login with an application
      password (HTTP Basic), over HTTPS.
    </p>
    <nav aria-label="Operations">
      <ul>
        ${operations.map(
          ({ path, method, operation }) =>
            html`<li>
              <a href="#${operation.operationId}"><code>${method.toUpperCase()} ${path}</code></a>
              ${operation.summary}
            </li>`,
        )}
      </ul>
    </nav>
    ${operations.map(({ path, method, operation }) => renderOperation(document, path, method, operation))}
    <h2>Records</h2>
    ${Object.entries(document.components.schemas).map(
      ([name, schema]) =>
        html`<h3 id="schema-${name}">${name}</h3>
          ${fields(schema)}`,
    )}`;
}

function renderOperation(
  document: Document,
  path: string,
  method: string,
  operation: DocumentedOperation,
): Html {
  const body = operation.requestBody?.content['application/json'].schema;
  return html`<section id="${operation.operationId}">
    <h2><code>${method.toUpperCase()} ${path}</code></h2>
    <p>${operation.summary}. ${prose(operation.description)}</p>
    <p>Access: ${operation['x-access']}. Scope: ${operation['x-scope'] ?? 'none'}.</p>
    ${operation.parameters.length > 0 && html`<h3>Parameters</h3>`}
    ${
      operation.parameters.length > 0 &&
      table(
        operation.parameters.map((p) => [
          p.name,
          html`${p.in}, ${typeText(p.schema)}`,
          p.required,
          html`${prose(p.description)} ${limits(p.schema)}`,
        ]),
      )
    }
    ${body && html`<h3>Body</h3>`} ${body && fields(body)}
    <h3>Answers</h3>
    <dl>
      ${Object.entries(operation.responses)
        .map(([status, response]) => [status, responseOf(document, response)] as const)
        .map(
          ([status, response]) =>
            html`<dt><code>${status}</code> ${answerType(status, response)}</dt>
              <dd>
                ${response.description.split('\n\n').map((line) => html`${prose(line)}<br />`)}
              </dd>`,
        )}
    </dl>
  </section>`;
}

/** Operations that are refused alike share the response. */
function responseOf(document: Document, response: Response | { $ref: string }): Response {
  if (!('$ref' in response)) return response;
  return document.components.responses[response.$ref.split('/').at(-1)!]!;
}

/** Descriptions are Markdown; of that we use code spans only. */
function prose(text: string | undefined): Html {
  const parts = (text ?? '').split('`');
  return html`${parts.map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

function answerType(status: string, response: Response): Html | string {
  const [[type, { schema }] = ['', {}]] = Object.entries(response.content ?? {});
  if (!schema || status >= '300') return '';
  return type === 'application/json' ? typeText(schema) : type;
}

function fields(schema: Schema): Html {
  const required = new Set(schema.required);
  const entries = Object.entries(schema.properties ?? {});
  if (entries.length === 0) return html`<p>${typeText(schema)}</p>`;
  return table(
    entries.map(([name, property]) => [
      name,
      typeText(property),
      required.has(name),
      html`${prose(property.description)} ${limits(property)}`,
    ]),
  );
}

function table(rows: [string, Html | string, boolean, Html][]): Html {
  return html`<div class="scroll" tabindex="0">
    <table>
      <thead>
        <tr>
          <th>Name</th>
          <th>Type</th>
          <th>Meaning</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([name, type, required, meaning]) =>
            html`<tr>
              <td><code>${name}</code>${required && html` <small>required</small>`}</td>
              <td>${type}</td>
              <td>${meaning}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function typeText(schema: Schema): Html | string {
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1)!;
    return html`<a href="#schema-${name}">${name}</a>`;
  }
  if (schema.enum) return schema.enum.map((value) => `"${value}"`).join(' or ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.anyOf)
    return html`${schema.anyOf.map((s, i) => html`${i > 0 && ' or '}${typeText(s)}`)}`;
  if (schema.type === 'array') return html`list of ${typeText(schema.items ?? {})}`;
  return schema.format === 'date' ? 'day (Y-m-d)' : (schema.type ?? 'anything');
}

function limits(schema: Schema): string {
  const { minimum, maximum, maxLength } = schema;
  return [
    minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER
      ? `From ${minimum} to ${maximum}.`
      : '',
    maxLength === undefined ? '' : `At most ${maxLength} characters.`,
    schema.default === undefined ? '' : `Default ${JSON.stringify(schema.default)}.`,
  ]
    .filter(Boolean)
    .join(' ');
}
