import Type, { type TSchema } from 'typebox';
import { isStorable } from '../../shared/storable.ts';
import type { FieldErrors } from '../declare/field-errors.ts';

/** The limits for lists and free-form objects whose contract sets none. */
export const LIST_MAX = 1_000;
const RECORD_MAX = 100;

/** The keywords of a JSON Schema that this file reads. `TSchema` declares none. */
interface Shape {
  readonly type?: string;
  readonly anyOf?: TSchema[];
  readonly items?: TSchema;
  readonly maxItems?: number;
  readonly properties?: Record<string, TSchema>;
  readonly patternProperties?: Record<string, TSchema>;
  readonly additionalProperties?: unknown;
  readonly maxProperties?: number;
}

interface Inspection {
  /** Whether fields that the contract does not name are refused. */
  readonly closed: boolean;
  readonly errors: FieldErrors;
}

/**
 * Finds errors in one pass that a schema cannot express or would find slowly: text that the databases
 * cannot store, infinite numbers, lists and objects that are too large, and, for a closed contract,
 * unknown fields. In free-form parts (`schema` undefined) only text and numbers are checked.
 */
export function inspect(
  schema: TSchema | undefined,
  value: unknown,
  place: () => string,
  inspection: Inspection,
): void {
  // The operation itself validates a parameter whose schema accepts anything.
  if (schema && Type.IsUnknown(schema)) return;
  if (typeof value === 'string') {
    if (!isStorable(value))
      inspection.errors.add(place(), 'must not hold NUL or broken characters');
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) inspection.errors.add(place(), 'must be a finite number');
  } else if (Array.isArray(value)) {
    inspectList(schema && alternative(schema, 'array'), value, place, inspection);
  } else if (typeof value === 'object' && value !== null) {
    inspectObject(
      schema && alternative(schema, 'object'),
      // `typeof` narrows to `object`, which has no index signature.
      value as Record<string, unknown>,
      place,
      inspection,
    );
  }
}

function inspectList(
  shape: Shape | undefined,
  list: unknown[],
  place: () => string,
  inspection: Inspection,
): void {
  if (shape && shape.type !== 'array') return;
  const max = shape ? (shape.maxItems ?? LIST_MAX) : Infinity;
  if (list.length > max) {
    return inspection.errors.add(place(), `must not have more than ${max} items`);
  }
  for (let i = 0; i < list.length && !inspection.errors.isFull; i++) {
    inspect(shape?.items, list[i], () => `${place()}[${i}]`, inspection);
  }
}

function inspectObject(
  shape: Shape | undefined,
  value: Record<string, unknown>,
  place: () => string,
  inspection: Inspection,
): void {
  if (shape && shape.type !== 'object') return;
  const { errors } = inspection;
  const max = shape?.patternProperties ? (shape.maxProperties ?? RECORD_MAX) : Infinity;
  const isClosed = inspection.closed && shape?.properties && shape.additionalProperties !== true;
  let count = 0;
  for (const name in value) {
    if (errors.isFull) return;
    if ((count += 1) > max) return errors.add(place(), `must not have more than ${max} fields`);
    const property = propertyOf(shape, name);
    if (property !== undefined && isSoundScalar(value[name])) continue;
    const at = () => `${place()}.${name}`;
    if (!isStorable(name)) errors.add(at(), 'must not hold NUL or broken characters');
    else if (isClosed && property === undefined) {
      errors.addUnknown(at(), name, Object.keys(shape.properties));
    } else inspect(property, value[name], at, inspection);
  }
}

/** A fast path without closures: a batch of 1,000 orders has 30,000 fields, most of them valid scalars. */
export function isSoundScalar(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value === 'boolean' || value === null;
}

function propertyOf(shape: Shape | undefined, name: string): TSchema | undefined {
  return shape?.properties && Object.hasOwn(shape.properties, name)
    ? shape.properties[name]
    : undefined;
}

/** The alternative of a union for values of this type, or the schema itself. */
function alternative(schema: TSchema, type: string): Shape {
  const shape = schema as Shape;
  return shape.anyOf?.find((one) => (one as Shape).type === type) ?? shape;
}
