import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import type { TObject, TSchema } from 'typebox';
import { query } from '../src/db/statements/query.ts';
import { resolveSchema } from '../src/kernel/call/input-readers.ts';
import type { Operation } from '../src/kernel/declare/operation.ts';
import { idOf, openTestApp } from './support/harness.ts';
import { ABSENT_ID, sampleOf } from './support/sample.ts';

const STORE = 'https://shop.example/';
const app = await openTestApp({
  settings: { 'personal_pages.enabled': true, 'site.store_url': STORE },
});
const prepared = app.site.registry
  .allOperations()
  .filter(({ prepare, path }) => prepare && path.includes('{'));
const keys = {
  maya: await app.key('maya', 'write'),
  admin: await app.key('admin', 'write,manage'),
};

/**
 * `prepare` runs before the transaction in which `handle` asks whose record it is: a file that it stores, and what it says
 * of the content, must not depend on a record of others.
 */
describe('nothing is prepared for a record of others, or one that is absent', () => {
  for (const operation of prepared) {
    test(`${operation.method} ${operation.url}`, async () => {
      const isOwn = operation.access === 'owner';
      const ids = isOwn ? [idOf('tomas'), ABSENT_ID] : [ABSENT_ID];
      const before = await stored();
      const answers = new Set<string>();
      for (const id of ids) {
        for (const json of bodies(operation)) {
          const key = isOwn ? keys.maya : keys.admin;
          const path = pathFor(operation, id);
          const { status, text } = await app.call(path, { method: operation.method, key, json });
          assert.notEqual(status, 429, text);
          answers.add(`${status} ${text}`);
        }
      }
      assert.deepEqual(
        [...answers].map((answer) => answer.slice(0, 3)),
        ['404'],
        [...answers].join('\n'),
      );
      assert.deepEqual(await stored(), before);
    });
  }
});

/** With all fields: as the contract wants them, and with content that only `prepare` refuses. */
function bodies({ body, example }: Operation): unknown[] {
  if (!body) return [undefined];
  const valid = { ...fullSample(resolveSchema(body, app.site.registry)), ...Object(example?.body) };
  const text = JSON.stringify(valid);
  const refused = text.includes('"content"')
    ? text.replaceAll(/"content":"[^"]+"/g, `"content":"${btoa('no image')}"`)
    : text.replaceAll(/"url":"[^"]+"/g, '"url":"https://127.0.0.1/"');
  return [valid, JSON.parse(refused)];
}

function fullSample(schema: TObject): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema.properties).map(([name, field]) => [name, fullValue(field, name)]),
  );
}

function fullValue(schema: TSchema, name: string): unknown {
  // `TSchema` declares no keywords.
  const { type, items, properties, anyOf } = schema as {
    type?: string;
    items?: TSchema;
    properties?: object;
    anyOf?: TSchema[];
  };
  if (anyOf) return fullValue(anyOf[0]!, name);
  if (properties) return fullSample(schema as TObject);
  if (type === 'array') return [fullValue(items!, name)];
  return name === 'url' ? STORE : sampleOf(schema, name);
}

function pathFor({ url, params }: Operation, id: number): string {
  return url.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const { type, enum: values } = params!.properties[name] as { type?: string; enum?: string[] };
    return type === 'integer' ? String(id) : (values?.[0] ?? 'absent');
  });
}

const schema = readFileSync(new URL('../docs/schema/sqlite.sql', import.meta.url), 'utf8');
const tables = [...schema.matchAll(/^create table "?(\w+)/gim)].map(([, name]) => name!);
assert(tables.length > 50);

/** The rows of every table, and the files. */
async function stored() {
  const rows: Record<string, number> = {};
  for (const table of tables) {
    const { n } = (await app.site.database.read.first(countRows(table), {}))!;
    rows[table] = n;
  }
  const { filesFolder } = app.site;
  return { rows, files: existsSync(filesFolder) ? readdirSync(filesFolder) : [] };
}

function countRows(table: string) {
  return query<object, { n: number }>((db) => {
    const text = sql`select count(*) as n from ${sql.table(table)}`;
    return { compile: () => text.compile(db) };
  });
}
