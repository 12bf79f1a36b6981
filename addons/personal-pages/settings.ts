import Type from 'typebox';
import { defineManagerSetting, inGroup } from '../../src/kernel/declare/setting.ts';

export const pagesEnabled = defineManagerSetting(
  'personal_pages.enabled',
  Type.Boolean(),
  false,
  'Affiliates can have a page of their own at /with/ and their code, with a name, a picture, a text and a link to ' +
    'the store.',
);

export const pagesReviewed = defineManagerSetting(
  'personal_pages.review',
  Type.Boolean(),
  true,
  'What affiliates write is shown only after the team has accepted it. Until then, visitors see the last ' +
    'accepted version.',
);

export const personalPageSettings = inGroup(
  { name: 'personal_pages', title: 'Personal pages', position: 62 },
  { 'Pages of affiliates': pagesEnabled, 'Review before they are shown': pagesReviewed },
);
