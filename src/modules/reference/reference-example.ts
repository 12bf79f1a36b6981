import { html, type Html } from '../../shared/html.ts';
import { resolved, type Content, type Document, type Schema } from './reference-document.ts';

/** The example of the document, or one generated from the schema. */
export function exampleOf({ schema, example }: Content, document: Document): unknown {
  return example ?? sampleOf(schema, document);
}

/** A sample value that a schema accepts. */
function sampleOf(schema: Schema, document: Document): unknown {
  const s = resolved(schema, document);
  if (s.examples) return s.examples[0];
  if (s.default !== undefined) return s.default;
  if (s.const !== undefined) return s.const;
  if (s.enum) return s.enum[0];
  const [choice] = s.anyOf ?? s.oneOf ?? [];
  if (choice) return sampleOf(choice, document);
  if (s.items) return [sampleOf(s.items, document)];
  if (s.properties) {
    return Object.fromEntries(
      Object.entries(s.properties).map(([name, part]) => [name, sampleOf(part, document)]),
    );
  }
  return plainSample(s);
}

const DAY = '2026-02-12';

function plainSample({ type, format, pattern, minimum }: Schema): unknown {
  if (type === 'integer' || type === 'number') return minimum ?? 0;
  if (type === 'boolean') return true;
  if (type !== 'string') return type === 'null' ? null : {};
  if (format === 'date') return DAY;
  return pattern?.includes('T\\d{2}') ? `${DAY}T09:30:00` : 'text';
}

/** Value for a parameter in a URL: its example, or a small number for an id. */
export function parameterExample(
  { schema, example }: { schema: Schema; example?: unknown },
  document: Document,
): string {
  const isNumber = resolved(schema, document).type === 'integer';
  const value = example ?? (isNumber ? (schema.examples?.[0] ?? 7) : sampleOf(schema, document));
  return String(value);
}

/** Indented JSON with syntax highlighting. */
export function coloured(value: unknown): Html {
  const text = JSON.stringify(value, null, 2);
  const tokens = text.split(/("(?:[^"\\]|\\.)*"(?:: )?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*)/);
  return html`${tokens.map((token, i) => (i % 2 === 0 ? token : colouredToken(token)))}`;
}

function colouredToken(token: string): Html {
  if (token.endsWith('": ')) return html`<b>${token.slice(0, -2)}</b>: `;
  return token.startsWith('"') ? html`<i>${token}</i>` : html`<u>${token}</u>`;
}
