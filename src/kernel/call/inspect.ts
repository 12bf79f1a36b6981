import Type, { type TSchema } from 'typebox';
import { isStorable } from '../../shared/storable.ts';
import type { Faults } from '../declare/faults.ts';

/** Where a list or a free-form object of a contract names no limit of its own. */
export const LIST_MAX = 1_000;
const RECORD_MAX = 100;

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
  /** Whether objects may have no other fields than the contract names. */
  readonly closed: boolean;
  readonly faults: Faults;
}

/**
 * Finds in one pass what a schema does not say or would take long to say: text that no database holds,
 * numbers beyond all measure, lists and objects that are too large, and, where the contract is closed,
 * fields it does not know. Free-form parts (`schema` undefined) are searched for text and numbers only.
 */
export function inspect(
  schema: TSchema | undefined,
  value: unknown,
  place: () => string,
  inspection: Inspection,
): void {
  // An operation that takes anything somewhere reads it by itself.
  if (schema && Type.IsUnknown(schema)) return;
  if (typeof value === 'string') {
    if (!isStorable(value))
      inspection.faults.add(place(), 'must not hold NUL or broken characters');
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) inspection.faults.add(place(), 'is not a number that can be held');
  } else if (Array.isArray(value)) {
    inspectList(schema && alternative(schema, 'array'), value, place, inspection);
  } else if (typeof value === 'object' && value !== null) {
    inspectObject(
      schema && alternative(schema, 'object'),
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
    return inspection.faults.add(place(), `must not have more than ${max} items`);
  }
  for (let i = 0; i < list.length && !inspection.faults.isFull; i++) {
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
  const { faults } = inspection;
  const max = shape?.patternProperties ? (shape.maxProperties ?? RECORD_MAX) : Infinity;
  const isClosed = inspection.closed && shape?.properties && shape.additionalProperties !== true;
  let count = 0;
  for (const name in value) {
    if (faults.isFull) return;
    if ((count += 1) > max) return faults.add(place(), `must not have more than ${max} fields`);
    const property = propertyOf(shape, name);
    if (property !== undefined && isSoundScalar(value[name])) continue;
    const at = () => `${place()}.${name}`;
    if (!isStorable(name)) faults.add(at(), 'must not hold NUL or broken characters');
    else if (isClosed && property === undefined) {
      faults.addUnknown(at(), name, Object.keys(shape.properties));
    } else inspect(property, value[name], at, inspection);
  }
}

/** Most fields are of this kind: a thousand orders have thirty thousand, and none needs more work. */
function isSoundScalar(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value === 'boolean' || value === null;
}

function propertyOf(shape: Shape | undefined, name: string): TSchema | undefined {
  return shape?.properties && Object.hasOwn(shape.properties, name)
    ? shape.properties[name]
    : undefined;
}

/** Of a choice, the schema that a value of this type is meant for, if there is one. */
function alternative(schema: TSchema, type: string): Shape {
  const shape = schema as Shape;
  return shape.anyOf?.find((one) => (one as Shape).type === type) ?? shape;
}
