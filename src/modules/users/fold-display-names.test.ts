import assert from 'node:assert/strict';
import { test } from 'node:test';
import { query } from '../../db/statements/query.ts';
import { openTestApp } from '../../../test/harness.ts';
import { foldDisplayNames } from './fold-display-names.ts';

const app = await openTestApp();
const { database } = app.site;

const forget = query<{ display_name: string }>((db, p) =>
  db.updateTable('users').set({ display_name: p.display_name, display_name_folded: '' }),
);
const folded = query<object, { display_name_folded: string }>((db) =>
  db.selectFrom('users').select('display_name_folded').distinct(),
);

test('existing display names are folded in every alphabet', async () => {
  for (const [name, expected] of [
    ['Maya B.', 'maya b.'],
    ['ÉMILE Łukasz', 'émile łukasz'],
    ['ОЛЬГА', 'ольга'],
    ['', ''],
  ] as const) {
    await database.transaction(async (tx) => {
      await tx.run(forget, { display_name: name });
      await foldDisplayNames(tx);
    });
    const names = await database.read.all(folded, {});
    assert.deepEqual(
      names.map((row) => row.display_name_folded),
      [expected],
      name,
    );
  }
});
