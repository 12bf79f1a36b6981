import type { Document, PlacedOperation } from './reference-document.ts';
import { exampleOf, parameterExample } from './reference-example.ts';

/** Placeholder for the reader's API key. */
export const KEY_PLACEHOLDER = 'svc_YOUR_KEY';

/** A curl command that works in a shell as soon as the key is filled in. */
export function curlOf(
  { method, path, operation }: PlacedOperation,
  document: Document,
  base: string,
): string {
  const body = operation.requestBody?.content['application/json'];
  const words = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoted(addressOf(path, operation.parameters, document, base))}`,
    ...(operation['x-access'] === 'public'
      ? []
      : [`-H ${quoted(`Authorization: Bearer ${KEY_PLACEHOLDER}`)}`]),
    ...(body
      ? [
          `-H ${quoted('Content-Type: application/json')}`,
          `-d ${quoted(JSON.stringify(exampleOf(body, document), null, 2))}`,
        ]
      : []),
  ];
  return words.join(' \\\n  ');
}

function addressOf(
  path: string,
  parameters: PlacedOperation['operation']['parameters'],
  document: Document,
  base: string,
): string {
  let filled = path;
  const query: string[] = [];
  for (const parameter of parameters) {
    const value = encodeURIComponent(parameterExample(parameter, document));
    if (parameter.in === 'path') filled = filled.replace(`{${parameter.name}}`, value);
    else if (parameter.in === 'query' && parameter.required)
      query.push(`${parameter.name}=${value}`);
  }
  return base + filled + (query.length > 0 ? `?${query.join('&')}` : '');
}

/** Quotes any text as one word for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
