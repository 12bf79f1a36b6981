import type { TSchema } from 'typebox';
import type { Live, Operation } from './operation.ts';
import { InputReader, type RawInput } from './parameters.ts';
import type { Registry } from './registry.ts';
import type { Site } from './site.ts';

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
  if (!known) readers.set(registry, (known = new Map()));
  const cached = known.get(operation);
  if (cached && (cached.revision === undefined || cached.revision === registry.revision)) {
    return cached.reader;
  }
  const schemas = {
    ...(operation.params && { params: operation.params }),
    ...(operation.query && { query: operation.query }),
    ...(operation.body && { body: resolveSchema(operation.body, registry) }),
  };
  const reader = new InputReader(schemas, operation.listBody);
  const revision = typeof operation.body === 'function' ? registry.revision : undefined;
  known.set(operation, { reader, revision });
  return reader;
}

export function resolveSchema<T extends TSchema>(schema: Live<T>, registry: Registry): T {
  return typeof schema === 'function' ? schema(registry) : schema;
}
