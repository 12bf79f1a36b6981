import { encodings, type Encoding } from '../../kernel/declare/http-response.ts';

/** The response encoding for an Accept-Encoding header (RFC 9110, 12.5.3); undefined for no encoding. */
export function acceptedEncoding(header: string | undefined): Encoding | undefined {
  if (header === undefined || header === '') return undefined;
  const weights = new Map(header.toLowerCase().split(',').map(weightOf));
  const weightIn = (encoding: Encoding) => weights.get(encoding) ?? weights.get('*') ?? 0;
  const best = encodings.reduce((a, b) => (weightIn(b) > weightIn(a) ? b : a));
  return weightIn(best) > 0 ? best : undefined;
}

function weightOf(accepted: string): [encoding: string, weight: number] {
  const [name, ...parameters] = accepted.split(';').map((part) => part.trim());
  const q = parameters.find((parameter) => parameter.startsWith('q='));
  return [name!, q === undefined ? 1 : Number(q.slice(2)) || 0];
}
