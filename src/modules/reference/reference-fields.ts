import { html, type Html } from '../../shared/html.ts';
import {
  commonSchema,
  isLargeUnion,
  nameOfReference,
  resolved,
  type Document,
  type Parameter,
  type Schema,
} from './reference-document.ts';

/** How the fields of an object are shown. */
export interface FieldsView {
  document: Document;
  /** Names of schemas with their own section on the page, which are linked instead of repeated. */
  linked: ReadonlySet<string>;
  /** In a response most fields are always present, so the optional ones are marked instead. */
  isAnswer?: boolean;
}

interface Field {
  name: string;
  schema: Schema;
  required: boolean;
  description?: string | undefined;
}

export function parameterList(parameters: Parameter[], view: FieldsView): Html {
  return list(
    parameters.map(({ name, schema, required, description }) => ({
      name,
      schema,
      required,
      description,
    })),
    view,
  );
}

/** The fields of a schema. Fields of nested objects and list items are indented. */
export function fieldList(schema: Schema, view: FieldsView): Html {
  const fields = fieldsOf(schema, view.document);
  if (fields.length === 0) return html`<p class="type">${typeText(schema, view)}</p>`;
  return list(fields, view);
}

/** No schema is deeper; this ends recursive ones. */
const DEPTH_MAX = 6;

function list(fields: Field[], view: FieldsView, depth = 0): Html {
  return html`<dl class="fields">${fields.map((field) => fieldItem(field, view, depth))}</dl>`;
}

function fieldItem(field: Field, view: FieldsView, depth: number): Html {
  const { name, schema, description } = field;
  const text = description ?? descriptionOf(schema, view.document);
  const facts = limitsOf(schema, view.document);
  const inner = depth < DEPTH_MAX ? innerFields(schema, view) : undefined;
  return html`<div>
    <dt>
      <code>${name}</code> <span class="type">${typeText(schema, view)}</span>
      ${mark(field, view)}
    </dt>
    ${(text || facts.length > 0) && html`<dd>${prose(text)} ${facts}</dd>`}
    ${inner && html`<dd>${list(inner, view, depth + 1)}</dd>`}
  </div>`;
}

function mark({ required, schema }: Field, { isAnswer }: FieldsView): Html | undefined {
  if (isAnswer) return required ? undefined : html`<span class="type">not always present</span>`;
  // A field with a default may be omitted.
  const mustBeSent = required && schema.default === undefined;
  return mustBeSent ? html`<span class="required">required</span>` : undefined;
}

function fieldsOf(schema: Schema, document: Document): Field[] {
  const { properties = {}, required = [] } = objectIn(schema, document) ?? {};
  return Object.entries(properties).map(([name, part]) => ({
    name,
    schema: part,
    required: required.includes(name),
  }));
}

/** The object schema of a value or of the items of a list, ignoring null. */
function objectIn(schema: Schema, document: Document): Schema | undefined {
  const s = resolved(schema, document);
  if (isLargeUnion(s)) return commonSchema(s, document);
  if (s.properties) return s;
  if (s.items) return objectIn(s.items, document);
  return (s.anyOf ?? s.oneOf)
    ?.map((choice) => objectIn(choice, document))
    .find((found) => found !== undefined);
}

/** Undefined if the type links to a section with the fields. */
function innerFields(schema: Schema, view: FieldsView): Field[] | undefined {
  if (linksIn(schema, view)) return undefined;
  const fields = fieldsOf(schema, view.document);
  return fields.length > 0 ? fields : undefined;
}

function linksIn(schema: Schema, view: FieldsView): boolean {
  if (schema.$ref !== undefined) return view.linked.has(nameOfReference(schema.$ref));
  const parts = [schema.items, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return parts.some((part) => part !== undefined && linksIn(part, view));
}

function descriptionOf(schema: Schema, document: Document): string | undefined {
  return schema.description ?? resolved(schema, document).description;
}

export function typeText(schema: Schema, view: FieldsView): Html | string {
  const name = schema.$ref === undefined ? undefined : nameOfReference(schema.$ref);
  if (name !== undefined && view.linked.has(name)) {
    return html`<a href="#schema-${name}">${name}</a>`;
  }
  const s = resolved(schema, view.document);
  if (s.enum) return s.type ?? 'one of';
  if (s.const !== undefined) return html`<code>${JSON.stringify(s.const)}</code>`;
  const choices = s.anyOf ?? s.oneOf;
  if (isLargeUnion(s)) return 'object';
  if (choices) return choiceText(choices, view);
  if (s.type === 'array') return html`list of ${typeText(s.items ?? {}, view)}`;
  if (s.format === 'date') return 'date (YYYY-MM-DD)';
  return s.type ?? 'any value';
}

function choiceText(choices: Schema[], view: FieldsView): Html {
  const texts = choices.map((choice) => typeText(choice, view));
  const distinct = texts.filter(
    (text, i) => texts.findIndex((other) => String(other) === String(text)) === i,
  );
  return html`${distinct.map((text, i) => html`${i > 0 && ' or '}${text}`)}`;
}

/** Constraints beyond the type, one sentence each. */
function limitsOf(schema: Schema, document: Document): Html[] {
  const s = resolved(schema, document);
  const values = s.enum ?? s.items?.enum;
  return [
    values &&
      html`One of ${values.map((value, i) => html`${i > 0 && ', '}<code>${value}</code>`)}.`,
    range(s),
    count(s.minLength, s.maxLength, 'character'),
    count(s.minItems, s.maxItems, 'item'),
    s.default === undefined ? undefined : html`Default <code>${JSON.stringify(s.default)}</code>.`,
  ]
    .filter((fact) => fact !== undefined)
    .map((fact) => html`<span class="limit">${fact}</span> `);
}

function range({ minimum, exclusiveMinimum, maximum }: Schema): string | undefined {
  const top = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? undefined : maximum;
  if (exclusiveMinimum !== undefined) return `More than ${exclusiveMinimum}.`;
  // The minimum of 1 of an id is left out.
  if (minimum === undefined || (minimum === 1 && top === undefined)) {
    return top === undefined ? undefined : `At most ${figure(top)}.`;
  }
  return top === undefined
    ? `At least ${figure(minimum)}.`
    : `From ${figure(minimum)} to ${figure(top)}.`;
}

function count(least: number | undefined, most: number | undefined, what: string) {
  if (most === undefined) {
    return least === undefined || least < 2 ? undefined : `At least ${least} ${what}s.`;
  }
  const plural = most === 1 ? what : `${what}s`;
  return least === undefined || least < 2
    ? `At most ${figure(most)} ${plural}.`
    : `${least} to ${figure(most)} ${plural}.`;
}

const figure = (number: number): string => number.toLocaleString('en');

/** Renders a description. Of Markdown, only code spans are used. */
export function prose(text: string | undefined): Html {
  const parts = (text ?? '').split('`');
  return html`${parts.map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
