import { creating } from '../../src/db/create-tables.ts';
import { defineModule } from '../../src/kernel/declare/module.ts';
import { needs, type Need } from '../../src/kernel/declare/overview.ts';
import { contribute } from '../../src/kernel/declare/point.ts';
import { mails, notices } from '../../src/modules/mail/index.ts';
import { personalData, personErasures } from '../../src/modules/privacy/index.ts';
import { webEnabled } from '../../src/modules/store-profile/index.ts';
import { acceptPage } from './api/accept-page.ts';
import { declinePage } from './api/decline-page.ts';
import { deleteOwnPage } from './api/delete-own-page.ts';
import { getOwnPage } from './api/get-own-page.ts';
import { getPagePicture } from './api/get-page-picture.ts';
import { listPages } from './api/list-pages.ts';
import { pagesAreOff, saveOwnPage } from './api/save-own-page.ts';
import { showPage } from './api/show-page.ts';
import { showPicture } from './api/show-picture.ts';
import { pageEvents } from './page-events.ts';
import { pageAcceptedMail, pageDeclinedMail, pageNotice } from './page-mails.ts';
import { countWaiting } from './page-rows.ts';
import { erasePages, pagesOfPerson } from './privacy.ts';
import { pagesEnabled, personalPageSettings } from './settings.ts';
import { tables } from './tables.ts';

const waitingPages: Need = {
  name: 'personal_pages',
  title: 'Personal pages to review',
  access: 'admin',
  read: async (db, { settings }) => ({
    count: settings.get(pagesEnabled) ? await countWaiting(db, {}) : 0,
  }),
};

export const personalPagesModule = defineModule({
  name: 'personal_pages',
  summary: 'Personal pages: what affiliates tell visitors before these go to the store',
  addon: true,
  shownWhile: pagesEnabled,
  operations: [
    getOwnPage,
    saveOwnPage,
    deleteOwnPage,
    listPages,
    acceptPage,
    declinePage,
    getPagePicture,
    showPage,
    showPicture,
  ],
  events: pageEvents,
  settings: personalPageSettings,
  switches: [{ setting: webEnabled, operations: [showPage, showPicture] }],
  migrations: [creating('personal_pages/0001-personal-pages', tables)],
  errors: [pagesAreOff],
  contributions: [
    contribute(needs, waitingPages),
    contribute(notices, pageNotice),
    contribute(mails, pageAcceptedMail),
    contribute(mails, pageDeclinedMail),
    contribute(personalData, pagesOfPerson),
    contribute(personErasures, erasePages),
  ],
});
