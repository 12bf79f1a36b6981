import type { Mapped, Verdict } from '../connectors/connector.ts';

/** An object of a payload, which nothing has checked yet. */
export type Json = Readonly<Record<string, unknown>>;

/** Thrown where a payload lacks what an order needs. The message is a sentence for the owner. */
export class MappingError extends Error {
  override name = 'MappingFault';
}

export function ignored(reason: string): Mapped {
  return { result: 'ignored', reason };
}

export function failed(reason: string): Mapped {
  return { result: 'failed', reason };
}

/** A delivery that is not genuine. */
export function refused(reason: string): Verdict {
  return { outcome: 'refused', reason };
}

/** Runs a mapping and turns its errors into the result `failed`. */
export function mappedOrFailed(map: () => Mapped): Mapped {
  try {
    return map();
  } catch (error) {
    if (error instanceof MappingError) return failed(error.message);
    throw error;
  }
}

/** The object, or an empty one in place of anything else. */
export function objectOf(value: unknown): Json {
  return isObject(value) ? value : {};
}

/** The objects in an array; none in place of anything else. */
export function objectsOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text that is not empty, or a number as text: stores send ids as either. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** An integer of at least 0; 0 in place of anything else. */
export function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}

/** The value of a field, or an error that names it. */
export function requireText(object: Json, name: string): string {
  const text = textOf(object[name]);
  if (text === undefined) throw new MappingError(`The field "${name}" is missing.`);
  return text;
}

/** The code of a currency in upper case, or an error. */
export function requireCurrency(object: Json): string {
  const code = requireText(object, 'currency').toUpperCase();
  if (/^[A-Z]{3}$/.test(code)) return code;
  throw new MappingError('The field "currency" is not a currency of three letters.');
}

/** What a text or the body of a delivery says; undefined if it is not JSON. */
export function parsedJson(text: string | Buffer): unknown {
  try {
    return JSON.parse(text.toString());
  } catch {
    return undefined;
  }
}
