import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Type, { type TObject, type TSchema } from 'typebox';
import { long, query } from '../src/db/statements/query.ts';
import { loadEdition } from '../src/edition-pro.ts';
import { defineModule } from '../src/kernel/declare/module.ts';
import { operation, type Operation } from '../src/kernel/declare/operation.ts';
import { openTestApp } from './support/harness.ts';
import { assertLongDeclared } from './support/long-statements.ts';

const countKeys = query<object, { count: number }>(
  (db) => db.selectFrom('api_keys').select((eb) => eb.fn.countAll<number>().as('count')),
  long,
);

const hasty = operation({
  method: 'GET',
  namespace: 'store',
  path: '/try-out/hasty',
  summary: 'For tests',
  access: 'admin',
  scope: 'read',
  response: Type.Unknown(),
  handle: ({ db }) => db.first(countKeys, {}),
});

const tryOut = defineModule({
  name: 'try-out',
  summary: 'For tests',
  addon: false,
  operations: [hasty],
});

const app = await openTestApp({ modules: [...(await loadEdition('pro')), tryOut] });
const admin = await app.key('admin', 'read,write,manage');

/** What a schema of a parameter has; `TSchema` does not declare it. */
interface Described {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly default?: unknown;
}

/** Values that a parameter of a query may have. */
function valuesOf(schema: TSchema): readonly string[] {
  const { type, format, enum: names, minimum } = schema as Described;
  if (names) return names;
  if (type === 'boolean') return ['true'];
  if (type === 'integer') return [String(minimum ?? 3)];
  return [format === 'date' ? '2026-01-31' : 'a'];
}

/** Without parameters, and with each of them alone beside those that are required. */
function queriesOf(schemas: TObject | undefined): string[] {
  const properties: Record<string, TSchema> = schemas?.properties ?? {};
  const required: readonly string[] = schemas?.required ?? [];
  const needed = required
    .filter((name) => (properties[name] as Described).default === undefined)
    .map((name): [string, string] => [name, valuesOf(properties[name]!)[0]!]);
  const alone = Object.entries(properties).flatMap(([name, one]) =>
    valuesOf(one).map((value): [string, string][] => [...needed, [name, value]]),
  );
  return [needed, ...alone].map((pairs) => String(new URLSearchParams(pairs)));
}

/** Its path with ids that exist, or do not. */
const pathOf = ({ url }: Operation) => url.replaceAll(/\{\w+\}/g, '3');

describe('an operation that runs a long statement declares that it is long', () => {
  // The harness notes one that does not, in this and in every other test.
  test('one that does not is found', async () => {
    assert.equal((await app.call('/svc/store/v1/try-out/hasty', { key: admin })).status, 200);
    assert.throws(assertLongDeclared, /GET \/svc\/store\/v1\/try-out\/hasty/);
    assertLongDeclared();
  });

  test('so does each that exports a table', () => {
    const exports = app.site.registry
      .allOperations()
      .filter(({ contentType }) => contentType?.startsWith('text/csv'));
    assert.ok(exports.length >= 7, `${exports.length}`);
    for (const { url, long: isLong } of exports) assert.equal(isLong, true, url);
  });

  for (const one of app.site.registry.activeOperations().filter(({ method }) => method === 'GET')) {
    if (one === hasty || one.access === 'guarded') continue;
    test(`GET ${one.url}`, async () => {
      for (const input of queriesOf(one.query)) {
        const key = one.namespace === 'site' ? {} : { key: admin };
        const reply = await app.call(`~${pathOf(one)}?${input}`, key);
        assert.notEqual(reply.status, 500, `${input.slice(0, 100)}: ${reply.text}`);
        assertLongDeclared();
      }
    });
  }
});
