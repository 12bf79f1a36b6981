/** A schema as SQL that recreates it, in an order that depends on names alone. */
export interface SchemaDump {
  tables: string[];
  /** Foreign keys, indexes, functions and triggers: created after the rows are inserted. */
  rest: string[];
}

export function schemaText({ tables, rest }: SchemaDump): string {
  return [...tables, ...rest].map((statement) => `${statement};\n`).join('\n');
}

/** Puts each part of the outermost parentheses of a `create table` on its own line. */
export function onePartPerLine(statement: string): string {
  const begin = statement.indexOf('(');
  const end = statement.lastIndexOf(')');
  const parts: string[] = [];
  let depth = 0;
  let quote = '';
  let part = '';
  for (const char of statement.slice(begin + 1, end)) {
    if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === "'" || char === '"') quote = char;
    else if (char === '(') depth++;
    else if (char === ')') depth--;
    if (char === ',' && depth === 0 && quote === '') {
      parts.push(part.trim());
      part = '';
    } else {
      part += char;
    }
  }
  parts.push(part.trim());
  const lines = parts.map((line) => `  ${line}`).join(',\n');
  return `${statement.slice(0, begin).trim()} (\n${lines}\n)${statement.slice(end + 1)}`;
}
