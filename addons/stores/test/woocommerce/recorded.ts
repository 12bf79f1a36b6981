import { readFileSync } from 'node:fs';
import type { RawDelivery } from '../../connectors/connector.ts';

/** The secret of the webhooks that a real WooCommerce 10.9 was recorded with. */
export const RECORDED_SECRET = 'tribTestSecret123';
/** The address of that shop, as its deliveries name it. */
export const RECORDED_SHOP = 'https://127.0.0.1:18081';

export interface Recorded extends RawDelivery {
  /** What it is, after the three digits of its position in the recording. */
  readonly name: string;
}

/** Every request that the shop sent, in order, with the exact bytes of the body. */
export const deliveries: readonly Recorded[] = lines<{
  name: string;
  headers: Record<string, string>;
  body: string;
}>('deliveries.jsonl').map(({ body, ...rest }) => ({ ...rest, body: Buffer.from(body) }));

export interface RecordedAnswer {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Answers of its REST API. */
export const answers = lines<RecordedAnswer>('answers.jsonl');

/** Orders of a WooCommerce 11.0 by shoppers who came by a link in different ways, as its REST API returns them. */
export const attributed = lines<{ name: string; order: Record<string, any> }>('attribution.jsonl');

export function delivery(position: string): Recorded {
  return found(deliveries, position);
}

export function answer(position: string): unknown {
  return JSON.parse(found(answers, position).body);
}

function found<T extends { name: string }>(list: readonly T[], position: string): T {
  const one = list.find(({ name }) => name.startsWith(`${position}-`));
  if (!one) throw new Error(`Nothing recorded at ${position}`);
  return one;
}

/** The cast is safe: the files are part of the tests. */
function lines<T>(file: string): T[] {
  const text = readFileSync(new URL(`recorded/${file}`, import.meta.url), 'utf8');
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as T]));
}
