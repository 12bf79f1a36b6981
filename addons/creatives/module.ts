import { creating } from '../../src/db/create-tables.ts';
import { defineModule } from '../../src/kernel/declare/module.ts';
import { contribute } from '../../src/kernel/declare/point.ts';
import { clickableCreatives, creativeNames } from '../../src/modules/clicks/index.ts';
import {
  personalData,
  personErasures,
  rowsOfUser,
  type PersonErasure,
} from '../../src/modules/privacy/index.ts';
import { changeCreative } from './api/change-creative.ts';
import { createCreative } from './api/create-creative.ts';
import { deleteCreative } from './api/delete-creative.ts';
import { listCreatives } from './api/list-creatives.ts';
import { listOwnCreatives } from './api/list-own-creatives.ts';
import { findCreative, namesOfCreatives, removeFromAudiences } from './creative-rows.ts';
import { tooManyCreatives } from './creative.ts';
import { tables } from './tables.ts';

/** Creatives that were made for the person alone, or for a few. */
const creativesOfPerson = rowsOfUser('creatives', [], (db, userId) =>
  db
    .selectFrom('creative_affiliates')
    .select('creative_id')
    .where('user_id', '=', userId)
    .orderBy('creative_id'),
);

const eraseAudiences: PersonErasure = {
  async erase(tx, { user }) {
    await removeFromAudiences(tx, { user_id: user.id });
  },
};

export const creativesModule = defineModule({
  name: 'creatives',
  summary: 'Creatives: images, texts, files and links that affiliates share',
  addon: true,
  operations: [listCreatives, createCreative, changeCreative, deleteCreative, listOwnCreatives],
  errors: [tooManyCreatives],
  migrations: [creating('creatives/0001-creatives', tables)],
  contributions: [
    contribute(
      clickableCreatives,
      async (db, _site, id) => (await findCreative(db, { id })) !== undefined,
    ),
    contribute(
      creativeNames,
      async (db, ids) =>
        new Map((await namesOfCreatives(db, ids)).map(({ id, name }) => [id, name] as const)),
    ),
    contribute(personalData, creativesOfPerson),
    contribute(personErasures, eraseAudiences),
  ],
});
