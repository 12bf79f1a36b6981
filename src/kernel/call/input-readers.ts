import Type, { type TObject, type TSchema } from 'typebox';
import type { ActiveDeclarations } from '../declare/active-declarations.ts';
import type { Live, Operation } from '../declare/operation.ts';
import type { Registry } from '../declare/registry.ts';
import type { Site } from '../declare/site.ts';
import { InputReader, type RawInput } from './parameters.ts';

interface CachedReader {
  reader: InputReader;
  /** The registry's revision when it was created; undefined if the contract never changes. */
  revision: number | undefined;
}

const readers = new WeakMap<Registry, Map<Operation, CachedReader>>();

/** Reads and checks the input of an operation. Throws an error that names every invalid parameter. */
export function readInput(
  operation: Operation,
  site: Site,
  raw: RawInput,
): Record<string, unknown> {
  const reader = inputReaderFor(operation, site.registry);
  if (!operation.check) return reader.read(raw);
  return reader.read(raw, (input, errors) => operation.check!(input, errors, site));
}

/** Readers are cached. A contract that depends on active declarations is read again when they change. */
function inputReaderFor(operation: Operation, registry: Registry): InputReader {
  let known = readers.get(registry);
  if (!known) readers.set(registry, (known = new Map<Operation, CachedReader>()));
  const cached = known.get(operation);
  if (cached && (cached.revision === undefined || cached.revision === registry.revision)) {
    return cached.reader;
  }
  const body = bodyOf(operation, registry);
  const schemas = {
    ...(operation.params && { params: operation.params }),
    ...(operation.query && { query: operation.query }),
    ...(body && { body }),
  };
  const { listBody } = operation;
  const reader = new InputReader(schemas, { listBody, closed: isClosed(operation) });
  const revision = typeof operation.body === 'function' ? registry.revision : undefined;
  known.set(operation, { reader, revision });
  return reader;
}

const NO_FIELDS = Type.Object({});

/** The body schema of an operation. A closed contract without a body gets one that refuses every field. */
export function bodyOf(operation: Operation, registry: Registry): TObject | undefined {
  if (operation.body) return resolveSchema(operation.body, registry);
  return isClosed(operation) && operation.method !== 'GET' ? NO_FIELDS : undefined;
}

/** The store API refuses unknown fields, because a misspelt field would be dropped silently. */
export function isClosed({ namespace }: Operation): boolean {
  return namespace === 'store';
}

export function resolveSchema<T extends TSchema>(schema: Live<T>, active: ActiveDeclarations): T {
  return typeof schema === 'function' ? schema(active) : schema;
}
