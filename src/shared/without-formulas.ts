/** The positions before characters that begin a formula, including their full-width forms. */
const FORMULA_START = /(?<=(?:^|[;|\t\r\n])[\s"]*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/**
 * Puts an apostrophe before text that a spreadsheet would run as a formula, also in the middle of a cell: a
 * spreadsheet that separates cells by `;` or tab, as in most of Europe, ignores our quotes and begins a new cell
 * inside ours.
 */
export function withoutFormulas(cell: string): string {
  const text = cell.replaceAll(FORMULA_START, "'");
  return /^[\t\r]/.test(text) ? `'${text}` : text;
}
