import Type from 'typebox';
import { actorId, isAdmin } from '../../../kernel/declare/caller.ts';
import { generalErrors } from '../../../kernel/declare/errors.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { Id, Nullable } from '../../../kernel/declare/schemas.ts';
import {
  alreadyAnonymised,
  findAffiliate,
  lockAffiliate,
  requireNotAnonymised,
  requireOwnAffiliate,
} from '../../../modules/affiliates/index.ts';
import {
  FileInput,
  IMAGE_BODY_BYTES_MAX,
  storeFile,
  useFile,
} from '../../../modules/files/index.ts';
import { readOwnPage } from '../own-page.ts';
import { OwnPersonalPageSchema, pageFields } from '../page-wire.ts';
import { pagesReviewed } from '../settings.ts';
import { writePage } from '../write-page.ts';

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
  bodyBytesMax: IMAGE_BODY_BYTES_MAX,
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
  errors: [generalErrors.notFound, generalErrors.conflict, alreadyAnonymised],
  async prepare({ id, picture }, site) {
    if (!picture || !(await findAffiliate(site.database.read, id))) return undefined;
    const purpose = { kind: 'image', access: 'private', userId: id, field: 'picture' } as const;
    return storeFile(site, picture, purpose);
  },
  async handle({ db, site, caller, nowMs, prepared: file }, { id, name, text, language, picture }) {
    // Erasing a person takes the same lock, so no version is added behind it.
    await lockAffiliate(db, id);
    requireNotAnonymised(await requireOwnAffiliate(db, caller, id));
    if (file) await useFile(db, file);
    const isShown = isAdmin(caller) || !site.settings.get(pagesReviewed);
    const author = { userId: id, actorId: actorId(caller), nowMs };
    const given = picture === null ? null : file;
    await writePage(db, { ...author, isShown, name, text, language, picture: given });
    return readOwnPage(db, site, id);
  },
});
