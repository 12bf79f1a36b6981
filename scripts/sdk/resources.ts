import { camel } from './names.ts';
import { typeNameOf, type Route } from './routes.ts';
import { commentOf, declarationOf, indent, typeOf, type Schema } from './types.ts';

/** A property of the client: a method, a group of them, or both. */
interface Node {
  route?: Route;
  parts: Map<string, Node>;
}

/** The file with the interface of all resources and the types of their inputs. */
export function resourcesText(routes: readonly Route[]): string {
  const root: Node = { parts: new Map() };
  const own: string[] = [];
  for (const route of routes) {
    let node = root;
    for (const part of route.name.split('.')) {
      if (!node.parts.has(part)) node.parts.set(part, { parts: new Map() });
      node = node.parts.get(part)!;
    }
    node.route = route;
    own.push(...ownTypes(route));
  }
  const body = `export interface Resources {\n${indent(membersOf(root))}\n}\n`;
  const text = [...own, body].join('\n');
  return importsOf(text, routes) + text;
}

/** The types that only this route has. */
function ownTypes(route: Route): string[] {
  const { input, response } = route;
  return [
    ...(input && !nameIn(input.schema)
      ? [`${declarationOf(typeNameOf(route, 'Input'), input.schema)}\n`]
      : []),
    ...(response && !nameIn(response)
      ? [`${declarationOf(typeNameOf(route, 'Result'), itemOf(response))}\n`]
      : []),
  ];
}

const itemOf = (response: Schema): Schema =>
  response.type === 'array' ? (response.items ?? {}) : response;

/** The name of the component that a schema refers to, alone or as items of an array. */
function nameIn(schema: Schema): string | undefined {
  return itemOf(schema).$ref?.split('/').at(-1);
}

function importsOf(text: string, routes: readonly Route[]): string {
  const inputs = routes.flatMap(({ input, response }) => [input?.schema, response]);
  const names = new Set<string>();
  const visit = (schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null) return;
    for (const [key, value] of Object.entries(schema)) {
      if (key === '$ref') names.add(String(value).split('/').at(-1)!);
      else visit(value);
    }
  };
  inputs.forEach(visit);
  const lines = [...names].toSorted().map((name) => `  ${name},\n`);
  return [
    ...(text.includes(': List<') ? ["import type { List } from '../pages.ts';\n"] : []),
    "import type { CallOptions } from '../transport.ts';\n",
    `import type {\n${lines.join('')}} from './schemas.ts';\n\n`,
  ].join('');
}

function membersOf(node: Node): string {
  return [...node.parts].map(([name, part]) => memberOf(name, part)).join('\n');
}

function memberOf(name: string, node: Node): string {
  const { route, parts } = node;
  if (route && parts.size === 0) return commentOf(route.comment) + name + signatureOf(route);
  const call = route ? `${commentOf(route.comment)}${signatureOf(route)}\n` : '';
  return `readonly ${name}: {\n${indent(call + membersOf(node))}\n};`;
}

function signatureOf(route: Route): string {
  const { input } = route;
  const given = route.arguments.map(({ name, schema }) => `${camel(name)}: ${typeOf(schema)}`);
  if (input) {
    const type = nameIn(input.schema) ? typeOf(input.schema) : typeNameOf(route, 'Input');
    given.push(`input${input.isRequired ? '' : '?'}: ${type}`);
  }
  given.push('options?: CallOptions');
  return `(${given.join(', ')}): ${resultOf(route)};`;
}

/** What a method answers. A response that is not JSON comes as it is. */
function resultOf(route: Route): string {
  const { response, isList, isFile } = route;
  if (!response) return isFile ? 'Promise<Response>' : 'Promise<void>';
  const type = nameIn(response) ?? typeNameOf(route, 'Result');
  return isList ? `List<${type}>` : `Promise<${type}>`;
}
