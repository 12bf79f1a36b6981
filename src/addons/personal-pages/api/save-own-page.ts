import Type from 'typebox';
import { isAdmin } from '../../../kernel/declare/caller.ts';
import { generalErrors } from '../../../kernel/declare/errors.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { Id, Nullable } from '../../../kernel/declare/schemas.ts';
import {
  alreadyAnonymised,
  findAffiliate,
  requireNotAnonymised,
} from '../../../modules/affiliates/index.ts';
import { requireOwnAffiliate } from '../../../modules/earnings/index.ts';
import {
  FileInput,
  IMAGE_BODY_BYTES_MAX,
  storeFile,
  useFile,
} from '../../../modules/files/index.ts';
import { changePages } from '../change-pages.ts';
import { readOwnPage, versionsOf } from '../own-page.ts';
import { emitPage, pageShown, pageSubmitted } from '../page-events.ts';
import { deletePage, insertPage } from '../page-rows.ts';
import { OwnPersonalPageSchema, pageFields } from '../page-wire.ts';
import { pagesReviewed } from '../settings.ts';

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
    await changePages(db, id, async (before) => {
      requireNotAnonymised(await requireOwnAffiliate(db, caller, id));
      if (file) await useFile(db, file);
      const { shown, proposed } = versionsOf(before);
      const known = proposed ?? shown;
      const isShown = isAdmin(caller) || !site.settings.get(pagesReviewed);
      const replaced = isShown ? before : before.filter((one) => one !== shown);
      for (const one of replaced) await deletePage(db, { id: one.id });
      await insertPage(db, {
        user_id: id,
        state: isShown ? 'shown' : 'waiting',
        name: name.trim(),
        text: text.trim(),
        language: language ?? known?.language ?? '',
        file_id: picture === null ? null : (file?.id ?? known?.file_id ?? null),
        reason: '',
        created_at: nowMs,
      });
      emitPage(db, isShown ? pageShown : pageSubmitted, id, caller, nowMs);
    });
    return readOwnPage(db, site, id);
  },
});
