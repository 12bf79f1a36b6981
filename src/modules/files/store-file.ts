import { randomBytes } from 'node:crypto';
import Type, { type Static } from 'typebox';
import type { Transaction } from '../../db/database.ts';
import { invalidParameters, tooLarge } from '../../kernel/call/parameters.ts';
import { actorId, isAdmin, type Caller } from '../../kernel/declare/caller.ts';
import { ApiError, defineError, generalErrors } from '../../kernel/declare/errors.ts';
import type { RequestFacts } from '../../kernel/declare/operation.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { byteLengthOf, bytesOf, FileContent } from '../../shared/base64-file.ts';
import { sizeText, TooLarge } from '../../shared/byte-size.ts';
import { fileNameOf } from '../../shared/file-name.ts';
import { FileError } from './file-error.ts';
import { addBytes, insertFile, keepFile, type FileRow } from './file-rows.ts';
import { FILE_BYTES_MAX, readFile, type FileKind } from './read-file.ts';
import { scanFile } from './scan-file.ts';
import { fileStoreOf } from './store/store-of-site.ts';

/** What one affiliate may send on a day, wherever: the store keeps it. */
const DAILY_BYTES_MAX = 50_000_000;

export const tooManyBytes = defineError(
  'svc_api_too_many_bytes',
  409,
  `An affiliate sends at most ${sizeText(DAILY_BYTES_MAX)} of files a day.`,
);

/** A file in the body of a request. The bytes are checked when they are read. */
export const FileInput = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: '^[^/\\\\\\u0000-\\u001f]+$',
      description: 'Its name, without a folder.',
      examples: ['banner.png'],
    }),
    content: FileContent(FILE_BYTES_MAX, {
      description:
        'The file in base64, which JSON has room for up to about 700 kB: send larger ones as a form. Its content decides what it is: JPEG, PNG, WebP or GIF of at most 5 MB, or 10 MB with an answer or a message, which is ' +
        'written again without anything but its pixels; PDF, ZIP, MP4 or plain text of at most 25 MB.',
      example:
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTj2FAAAAABJRU5ErkJggg==',
    }),
  },
  { additionalProperties: false, description: 'A file.' },
);

export interface FilePurpose {
  readonly kind: FileKind;
  /** `public`: read by its address alone. `private`: an operation decides who does. */
  readonly access: FileRow['access'];
  /** The affiliate to whom it belongs; null for a file of the store. */
  readonly userId: number | null;
  /** The parameter that an error names. */
  readonly field: string;
}

export interface FileSender {
  readonly caller: Caller;
  readonly request: Pick<RequestFacts, 'requireStillThere'>;
}

type GivenFile = Static<typeof FileInput>;

/**
 * Checks a file and stores it as a draft: for `prepare` of an operation, because it takes longer than a transaction may.
 * `permit` of the operation has decided that the sender may. `useFile` keeps it; a draft that none keeps is deleted later.
 */
export async function storeFile(
  site: Site,
  sender: FileSender,
  given: GivenFile,
  purpose: FilePurpose,
): Promise<FileRow> {
  await reserveBytes(site, sender, [given]);
  return storeOne(site, sender, given, purpose);
}

/** Each error names the file by its position. */
export async function storeFiles(
  site: Site,
  sender: FileSender,
  files: readonly GivenFile[],
  { field, ...purpose }: FilePurpose,
): Promise<FileRow[]> {
  await reserveBytes(site, sender, files);
  const stored: FileRow[] = [];
  for (const [i, file] of files.entries()) {
    stored.push(
      await storeOne(site, sender, file, { ...purpose, field: `${field}[${i}].content` }),
    );
  }
  return stored;
}

/** Counts what an affiliate sends before anything is stored, so that many requests at once are not more than one. */
async function reserveBytes(
  { database, calendar, clock }: Site,
  { caller }: FileSender,
  files: readonly GivenFile[],
): Promise<void> {
  if (isAdmin(caller) || files.length === 0) return;
  const bytes = files.reduce((sum, { content }) => sum + byteLengthOf(content), 0);
  const sent = { user_id: actorId(caller), day: calendar.dayOf(clock()), bytes };
  await database.transaction(async (tx) => {
    if ((await addBytes(tx, sent)).bytes > DAILY_BYTES_MAX) throw new ApiError(tooManyBytes);
  });
}

async function storeOne(
  site: Site,
  { caller, request }: FileSender,
  { name, content }: GivenFile,
  { kind, access, userId, field }: FilePurpose,
): Promise<FileRow> {
  // The images of a person wait together, wherever they are sent from.
  const turn = {
    name: caller.person ? `user ${caller.person.id}` : caller.identity,
    requireStillThere: () => request.requireStillThere(),
  };
  const bytes = await bytesOf(content);
  const refuse = (error: unknown): never => {
    if (error instanceof TooLarge) throw tooLarge(field, error);
    if (!(error instanceof FileError)) throw error;
    throw invalidParameters({ [field]: error.message });
  };
  const file = await readFile(bytes, kind, turn).catch(refuse);
  await scanFile(site, bytes).catch(refuse);
  const row = {
    key: randomBytes(20).toString('hex'),
    name: fileNameOf(name, file.type),
    type: file.type,
    bytes: file.bytes.length,
    sha256: file.sha256,
    width: file.width,
    height: file.height,
    small_bytes: file.small?.length ?? 0,
    access,
    user_id: userId,
    state: 'draft' as const,
    created_at: site.clock(),
  };
  // The row comes first: it is how the clean-up finds bytes that nothing uses.
  const { id } = await site.database.transaction((tx) => insertFile(tx, row));
  const store = await fileStoreOf(site);
  await store.write(row.key, file.bytes);
  if (file.small) await store.write(smallKey(row.key), file.small);
  return { id, ...row };
}

/** The key of the small picture of an image. */
export const smallKey = (key: string): string => `${key}-small`;

/** Keeps a draft, in the transaction that uses it. */
export async function useFile(tx: Transaction, { id }: FileRow): Promise<void> {
  if ((await keepFile(tx, { id })) !== 1) throw new ApiError(generalErrors.conflict);
}
