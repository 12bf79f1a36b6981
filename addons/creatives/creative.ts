import Type, { type Static } from 'typebox';
import type { Reader, Transaction } from '../../src/db/database.ts';
import { invalidParameter, invalidParameters } from '../../src/kernel/call/parameters.ts';
import { ApiError, defineError, requireFound } from '../../src/kernel/declare/errors.ts';
import type { FieldErrors } from '../../src/kernel/declare/field-errors.ts';
import type { Context } from '../../src/kernel/declare/operation.ts';
import type { Site } from '../../src/kernel/declare/site.ts';
import { requireAffiliate, requireGroups } from '../../src/modules/affiliates/index.ts';
import {
  FILE_BYTES_MAX,
  FileInput,
  removeFile,
  storeFile,
  useFile,
  type FileRow,
  type FileSender,
} from '../../src/modules/files/index.ts';
import { storeUrl } from '../../src/modules/store-profile/index.ts';
import { creativeFields, textNames } from './creative-fields.ts';
import {
  countCreatives,
  findCreative,
  insertCreative,
  saveAudience,
  updateCreative,
  type CreativeColumns,
  type CreativeRow,
} from './creative-rows.ts';
import { toCreatives, type Creative } from './creative-wire.ts';
import type { CreativeKind } from './tables.ts';

/** A library that a person looks through has far fewer. */
const CREATIVES_MAX = 1_000;

export const tooManyCreatives = defineError(
  'svc_api_too_many_creatives',
  409,
  `There are ${CREATIVES_MAX} creatives already. Delete one first.`,
);

/** The file in the body: `content` is the file, `file_name` its name. */
const fileFields = {
  content: Type.Optional(FileInput.properties.content),
  file_name: Type.Optional(FileInput.properties.name),
};

/** The file in a form. */
export const creativeUpload = {
  content: 'content',
  name: 'file_name',
  bytesMax: FILE_BYTES_MAX,
} as const;

export const CreativeChange = Type.Partial(Type.Object({ ...creativeFields, ...fileFields }));
export type CreativeChange = Static<typeof CreativeChange>;

/** Stores the file of a request as a draft; undefined without one. */
export async function prepareFile(
  site: Site,
  sender: FileSender,
  kind: CreativeKind | undefined,
  { content, file_name = 'file' }: CreativeChange,
): Promise<FileRow | undefined> {
  if (content === undefined) return undefined;
  if (kind !== 'image' && kind !== 'file') {
    throw invalidParameter('content', 'Only an image or a file has one.');
  }
  return storeFile(
    site,
    sender,
    { name: file_name, content },
    { kind, access: 'public', userId: null, field: 'content' },
  );
}

type TextColumns = Pick<CreativeColumns, (typeof textNames)[number]>;

const textsOf = (input: CreativeChange, absent: Partial<TextColumns>) =>
  Object.fromEntries(
    textNames.map((name) => [name, input[name] ?? absent[name] ?? '']),
  ) as TextColumns;

const empty: Omit<CreativeColumns, keyof TextColumns | 'kind' | 'updated_at'> = {
  file_id: null,
  audience: 'all',
  from_day: '',
  to_day: '',
};

/** Creates a creative, or changes `before`. */
export async function saveCreative(
  { db, site, nowMs, prepared: file }: Context<Transaction, FileRow | undefined>,
  kind: CreativeKind,
  input: CreativeChange,
  before?: CreativeRow,
): Promise<Creative> {
  const given = input.groups && (await requireGroups(db, input.groups));
  for (const id of input.affiliates ?? []) await requireKnown(db, id);
  const [known] = before ? await toCreatives(db, site, [before]) : [];
  const audience = [
    ...(input.groups ?? known?.groups ?? []),
    ...(input.affiliates ?? known?.affiliates ?? []),
  ];
  const columns: CreativeColumns = {
    ...(before ?? empty),
    ...textsOf(input, before ?? {}),
    kind,
    ...(input.from !== undefined && { from_day: input.from ?? '' }),
    ...(input.to !== undefined && { to_day: input.to ?? '' }),
    ...(file && { file_id: file.id }),
    audience: audience.length === 0 ? 'all' : 'some',
    updated_at: nowMs,
  };
  refuseIncomplete(columns);
  if (file) await useFile(db, file);
  const id = before?.id ?? (await insert(db, columns, nowMs));
  if (before) await updateCreative(db, { ...columns, id });
  if (before?.file_id && file) await removeFile(db, { id: before.file_id });
  await saveAudience(
    db,
    id,
    given?.map((group) => group.id),
    input.affiliates,
  );
  const [saved] = await toCreatives(db, site, [(await findCreative(db, { id }))!]);
  return saved!;
}

/** Throws if there are as many creatives as there may be. */
export async function requireRoom(db: Reader): Promise<void> {
  if ((await countCreatives(db, {})) >= CREATIVES_MAX) throw new ApiError(tooManyCreatives);
}

async function insert(db: Transaction, columns: CreativeColumns, nowMs: number): Promise<number> {
  await db.lock(LOCK);
  await requireRoom(db);
  return (await insertCreative(db, { ...columns, created_at: nowMs })).id;
}

async function requireKnown(db: Transaction, id: number): Promise<void> {
  try {
    await requireAffiliate(db, id);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw invalidParameter('affiliates', `There is no affiliate ${id}.`);
  }
}

function refuseIncomplete({ kind, file_id, text, alt, from_day, to_day }: CreativeColumns): void {
  const missing: Record<string, string> = {};
  if ((kind === 'image' || kind === 'file') && !file_id) missing['content'] = 'is needed';
  if (kind === 'image' && alt === '') missing['alt'] = 'is needed: it says what the image shows';
  if ((kind === 'text' || kind === 'email') && text === '') missing['text'] = 'is needed';
  if (to_day !== '' && to_day < from_day) missing['to'] = 'is before from';
  if (Object.keys(missing).length > 0) throw invalidParameters(missing);
}

/** A creative leads to the store, never elsewhere. */
export function checkUrl({ url }: CreativeChange, errors: FieldErrors, site: Site): void {
  if (url === undefined || url === '') return;
  const store = URL.parse(site.settings.get(storeUrl));
  const page = URL.parse(url, store ?? undefined);
  const isPage = page && /^https?:$/.test(page.protocol) && (!store || page.host === store.host);
  if (!isPage) errors.add('url', 'is not a page of the store');
}

/** Two changes of one creative would each forget the file of the other. */
const LOCK = 'creatives';

export async function lockCreative(db: Transaction, id: number): Promise<CreativeRow> {
  await db.lock(LOCK);
  return requireCreative(db, id);
}

export async function requireCreative(db: Reader, id: number): Promise<CreativeRow> {
  return requireFound(await findCreative(db, { id }));
}
