import Type, { type Static } from 'typebox';
import type { Reader } from '../../src/db/database.ts';
import { Nullable, StringEnum } from '../../src/kernel/declare/schemas.ts';
import type { Site } from '../../src/kernel/declare/site.ts';
import { FileFacts, findFiles, toFileFacts } from '../../src/modules/files/index.ts';
import { creativeFields, textNames } from './creative-fields.ts';
import { affiliatesOfCreatives, groupsOfCreatives, type CreativeRow } from './creative-rows.ts';
import { creativeKinds } from './tables.ts';

const example = {
  id: 4,
  kind: 'image' as const,
  name: 'Summer banner',
  category: 'Summer',
  description: 'For the side of a page.',
  language: 'en' as const,
  alt: 'Two people with backpacks on a ridge',
  text: '',
  url: 'https://store.example/summer',
  groups: ['Gold'],
  affiliates: [],
  from: '2026-06-01',
  to: null,
  file: {
    url: 'https://affiliates.example.com/files/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b.png',
    name: 'summer.png',
    type: 'image/png',
    width: 1200,
    height: 630,
    bytes: 48_213,
    thumbnail:
      'https://affiliates.example.com/files/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b-small.webp',
  },
};

const sharedFields = {
  id: Type.Integer({ description: 'Its number: links name it as `creative`.' }),
  kind: StringEnum(creativeKinds, { description: 'What it is.' }),
  ...creativeFields,
  file: Nullable(FileFacts),
};

export const CreativeSchema = Type.Object(
  {
    ...sharedFields,
    affiliate_names: Type.Array(Type.String(), {
      description: 'The names of `affiliates`, one for each.',
    }),
  },
  { $id: 'Creative', examples: [{ ...example, affiliate_names: [] }] },
);

export const ListedCreativeSchema = Type.Object(
  {
    ...CreativeSchema.properties,
    clicks: Type.Integer({
      description: 'Clicks on its links in the last 30 days, as in `GET /reports` by creative.',
    }),
    orders: Type.Integer({ description: 'Orders through its links in these days, as there.' }),
  },
  {
    $id: 'ListedCreative',
    examples: [{ ...example, affiliate_names: [], clicks: 120, orders: 7 }],
  },
);
export type Creative = Static<typeof CreativeSchema>;

const { groups: _groups, affiliates: _affiliates, ...ownFields } = sharedFields;
const { groups: _gold, affiliates: _none, ...ownExample } = example;

export const OwnCreativeSchema = Type.Object(
  {
    ...ownFields,
    link: Type.String({ description: "The affiliate's link to the page of the creative." }),
    snippets: Type.Object(
      {
        html: Type.String({ description: 'For a page.' }),
        markdown: Type.String({ description: 'For Markdown.' }),
        text: Type.String({ description: 'For a message.' }),
      },
      { description: 'The creative with the link and the code of the affiliate, to be pasted.' },
    ),
  },
  {
    $id: 'OwnCreative',
    examples: [
      {
        ...ownExample,
        link: 'https://affiliates.example.com/r/MAYA10?to=%2Fsummer&creative=4',
        snippets: {
          html: '<a href="https://affiliates.example.com/r/MAYA10?creative=4">…</a>',
          markdown: '[…](https://affiliates.example.com/r/MAYA10?creative=4)',
          text: 'https://affiliates.example.com/r/MAYA10?creative=4',
        },
      },
    ],
  },
);

/** The parts that the team and affiliates see alike. */
export function toShared(row: CreativeRow, file: FileFacts | null) {
  const { id, kind } = row;
  const texts = Object.fromEntries(textNames.map((name) => [name, row[name]]));
  return {
    id,
    kind,
    // Only values of the schema are written.
    ...(texts as Pick<Creative, (typeof textNames)[number]>),
    from: row.from_day || null,
    to: row.to_day || null,
    file,
  };
}

/** The files of creatives, by the id of the file. */
export async function filesOf(db: Reader, site: Site, rows: readonly CreativeRow[]) {
  const ids = rows.flatMap(({ file_id }) => file_id ?? []);
  const files = ids.length === 0 ? [] : await findFiles(db, ids);
  return new Map(files.map((file) => [file.id, toFileFacts(site, file)]));
}

export async function toCreatives(
  db: Reader,
  site: Site,
  rows: readonly CreativeRow[],
): Promise<Creative[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const [files, groups, affiliates] = await Promise.all([
    filesOf(db, site, rows),
    groupsOfCreatives(db, ids),
    affiliatesOfCreatives(db, ids),
  ]);
  return rows.map((row) => {
    const mine = ({ creative_id }: { creative_id: number }) => creative_id === row.id;
    return {
      ...toShared(row, files.get(row.file_id ?? 0) ?? null),
      groups: groups.filter(mine).map(({ name }) => name),
      affiliates: affiliates.filter(mine).map(({ user_id }) => user_id),
      affiliate_names: affiliates.filter(mine).map(({ display_name }) => display_name),
    };
  });
}
