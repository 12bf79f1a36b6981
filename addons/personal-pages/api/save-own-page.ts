import Type from 'typebox';
import type { Reader } from '../../../src/db/database.ts';
import { actorId, isAdmin, type Caller } from '../../../src/kernel/declare/caller.ts';
import { ApiError, defineError, generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id, Nullable } from '../../../src/kernel/declare/schemas.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import {
  alreadyAnonymised,
  lockAffiliate,
  requireNotAnonymised,
  requireOwnAffiliate,
} from '../../../src/modules/affiliates/index.ts';
import {
  FileInput,
  filesUnavailable,
  IMAGE_BYTES_MAX,
  storeFile,
  tooManyBytes,
  useFile,
} from '../../../src/modules/files/index.ts';
import { readOwnPage } from '../own-page.ts';
import { OwnPersonalPageSchema, pageFields } from '../page-wire.ts';
import { pagesEnabled, pagesReviewed } from '../settings.ts';
import { writePage } from '../write-page.ts';

export const pagesAreOff = defineError(
  'svc_api_personal_pages_off',
  409,
  'The store has switched off personal pages (setting personal_pages.enabled).',
);

export const saveOwnPage = operation({
  method: 'PUT',
  namespace: 'store',
  path: '/affiliates/{id}/personal-page',
  summary: 'Write the personal page of an affiliate',
  description:
    'For admins and the affiliate itself. What an affiliate writes waits for the review if `personal_pages.review` is ' +
    'on, and visitors see the last accepted version until then; what an admin writes is shown immediately. Without ' +
    '`picture` the picture stays; null removes it.',
  access: 'owner',
  scope: 'write',
  upload: { content: 'picture', bytesMax: IMAGE_BYTES_MAX },
  params: Type.Object({ id: Id('The affiliate.') }),
  body: Type.Object(
    {
      name: pageFields.name,
      text: pageFields.text,
      language: Type.Optional(pageFields.language),
      picture: Type.Optional(Nullable(FileInput)),
    },
    { $id: 'SavePersonalPage' },
  ),
  response: OwnPersonalPageSchema,
  example: {
    body: {
      name: 'Maya',
      text: 'I have carried this backpack over the Alps twice.',
      language: 'en',
    },
  },
  errors: [
    generalErrors.notFound,
    generalErrors.conflict,
    alreadyAnonymised,
    pagesAreOff,
    tooManyBytes,
    filesUnavailable,
  ],
  permit: ({ db, site, caller }, { id }) => requireWritable(db, site, caller, id),
  async prepare({ id, picture }, site, request, caller) {
    if (!picture) return undefined;
    const purpose = { kind: 'image', access: 'private', userId: id, field: 'picture' } as const;
    return storeFile(site, { caller, request }, picture, purpose);
  },
  async handle({ db, site, caller, nowMs, prepared: file }, { id, name, text, language, picture }) {
    // Erasing a person takes the same lock, so no version is added behind it.
    await lockAffiliate(db, id);
    await requireWritable(db, site, caller, id);
    if (file) await useFile(db, file);
    const isShown = isAdmin(caller) || !site.settings.get(pagesReviewed);
    const author = { userId: id, actorId: actorId(caller), nowMs };
    const given = picture === null ? null : file;
    await writePage(db, { ...author, isShown, name, text, language, picture: given });
    return readOwnPage(db, site, id);
  },
});

async function requireWritable(db: Reader, site: Site, caller: Caller, id: number): Promise<void> {
  requireNotAnonymised(await requireOwnAffiliate(db, caller, id));
  if (!site.settings.get(pagesEnabled)) throw new ApiError(pagesAreOff);
}
