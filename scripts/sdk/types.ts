/** The keywords of JSON Schema that the documents use. */
export interface Schema {
  $ref?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  type?: string | string[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  description?: string;
  contentEncoding?: string;
  contentMediaType?: string;
}

/** The TypeScript type of a JSON Schema. */
export function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1)!;
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const either = schema.anyOf ?? schema.oneOf;
  if (either) return unionOf(either.map(typeOf));
  if (Array.isArray(schema.type)) {
    return unionOf(schema.type.map((type) => typeOf({ ...schema, type })));
  }
  switch (schema.type) {
    case 'array':
      return schema.items ? `${inParentheses(typeOf(schema.items))}[]` : 'unknown[]';
    case 'object':
      return objectOf(schema);
    case 'integer':
      return 'number';
    case 'string':
      // What is in a file: a Blob is sent as a part of a form.
      return (schema.contentEncoding ?? schema.contentMediaType) ? 'string | Blob' : 'string';
    case 'number':
    case 'boolean':
    case 'null':
      return schema.type;
    default:
      return schema.properties ? objectOf(schema) : 'unknown';
  }
}

/** A declaration with its comment: an interface for an object, an alias for everything else. */
export function declarationOf(name: string, schema: Schema): string {
  const type = typeOf(schema);
  const isInterface = type.startsWith('{\n') && type.endsWith('\n}');
  const text = isInterface ? `export interface ${name} ${type}` : `export type ${name} = ${type};`;
  return commentOf(schema.description) + text;
}

/** A block comment, or nothing without text. */
export function commentOf(text: string | undefined): string {
  if (!text) return '';
  const lines = text.trim().replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return `/** ${lines[0]} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}

export function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}

function objectOf({ properties = {}, required = [], additionalProperties }: Schema): string {
  const names = Object.keys(properties);
  const rest = restOf(additionalProperties);
  if (names.length === 0) return `Record<string, ${rest ?? 'unknown'}>`;
  const fields = Object.entries(properties).map(([name, property]) => {
    const isRequired = required.includes(name);
    const type = typeOf(property);
    const field = isRequired ? `: ${type}` : `?: ${type} | undefined`;
    return `${commentOf(property.description)}${keyOf(name)}${field};`;
  });
  if (rest === 'unknown') fields.push('[name: string]: unknown;');
  const known = `{\n${indent(fields.join('\n'))}\n}`;
  return rest === undefined || rest === 'unknown' ? known : `${known} & Record<string, ${rest}>`;
}

function restOf(additional: boolean | Schema | undefined): string | undefined {
  if (additional === undefined || additional === false) return undefined;
  return additional === true ? 'unknown' : typeOf(additional);
}

function keyOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`;
}

function unionOf(types: string[]): string {
  return [...new Set(types)].join(' | ');
}

function inParentheses(type: string): string {
  return type.includes(' | ') || type.includes(' & ') ? `(${type})` : type;
}
