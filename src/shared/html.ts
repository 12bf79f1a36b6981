/** Text that is HTML already and must not be escaped again. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  toString(): string {
    return this.text;
  }
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A template whose values are escaped unless they are HTML themselves; lists are joined. */
export function html(parts: TemplateStringsArray, ...values: unknown[]): Html {
  return new Html(
    parts.map((part, i) => part + (i < values.length ? render(values[i]) : '')).join(''),
  );
}

function render(value: unknown): string {
  if (value === undefined || value === null || value === false) return '';
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(render).join('');
  return escapeHtml(String(value));
}

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!);
}
