import Type, { type TObject, type TSchema } from 'typebox';
import type { ActiveDeclarations } from '../declare/active-declarations.ts';
import type { Live, Operation } from '../declare/operation.ts';
import { InputReader, type RawInput } from './parameters.ts';
import type { Registry } from '../declare/registry.ts';
import type { Site } from '../declare/site.ts';

interface Cached {
  reader: InputReader;
  /** The registry's revision it was made at; undefined where the contract never changes. */
  revision: number | undefined;
}

const readers = new WeakMap<Registry, Map<Operation, Cached>>();

/** Reads what arrived for an operation, or refuses it with every faulty parameter named. */
export function readInput(
  operation: Operation,
  site: Site,
  raw: RawInput,
): Record<string, unknown> {
  const reader = inputReaderFor(operation, site.registry);
  if (!operation.check) return reader.read(raw);
  return reader.read(raw, (input, faults) => operation.check!(input, faults, site));
}

/** The reader of an operation's input, made once, or again when what is active has changed it. */
function inputReaderFor(operation: Operation, registry: Registry): InputReader {
  let known = readers.get(registry);
  if (!known) readers.set(registry, (known = new Map<Operation, Cached>()));
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

/** The body an operation reads; where it is closed, one that takes no fields reads that there are none. */
export function bodyOf(operation: Operation, registry: Registry): TObject | undefined {
  if (operation.body) return resolveSchema(operation.body, registry);
  return isClosed(operation) && operation.method !== 'GET' ? NO_FIELDS : undefined;
}

/** The store API refuses fields that it does not know: a misspelt one would be lost silently. */
export function isClosed({ namespace }: Operation): boolean {
  return namespace === 'store';
}

export function resolveSchema<T extends TSchema>(schema: Live<T>, active: ActiveDeclarations): T {
  return typeof schema === 'function' ? schema(active) : schema;
}
