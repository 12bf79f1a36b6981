import { creating } from '../../db/create-tables.ts';
import { defineModule } from '../../kernel/declare/module.ts';
import { firstSteps, type FirstStep } from '../../kernel/declare/overview.ts';
import { contribute } from '../../kernel/declare/point.ts';
import { mails } from '../mail/index.ts';
import { addressChangedMail } from './address-mail.ts';
import {
  affiliateCreated,
  affiliateReinstated,
  affiliateSuspended,
  affiliateUpdated,
  affiliateViewed,
} from './affiliate-events.ts';
import { countAllAffiliates } from './affiliate-rows.ts';
import { changeAffiliate } from './change-affiliate.ts';
import { changeAffiliates } from './change-affiliates.ts';
import { createAffiliate } from './create-affiliate.ts';
import { getAffiliate } from './get-affiliate.ts';
import { getMe } from './get-me.ts';
import { listAffiliates } from './list-affiliates.ts';
import { listRoster } from './list/list-roster.ts';
import { refreshRoster } from './list/refresh-roster.ts';
import { roster } from './list/tables.ts';
import { addNote } from './notes/add-note.ts';
import { deleteNote } from './notes/delete-note.ts';
import { listNotes } from './notes/list-notes.ts';
import { tables } from './tables.ts';
import { getTags } from './tags/get-tags.ts';
import { listTags } from './tags/list-tags.ts';
import { setTags } from './tags/set-tags.ts';
import { viewAffiliate } from './view-affiliate.ts';

const firstAffiliate: FirstStep = {
  name: 'affiliate',
  title: 'Add the first affiliate',
  isDone: async (db, site) => (await countAllAffiliates(db, site)) > 0,
};

export const affiliatesModule = defineModule({
  name: 'affiliates',
  summary: 'Affiliates: people who refer orders, and who is calling',
  addon: false,
  operations: [
    getMe,
    listAffiliates,
    listRoster,
    getAffiliate,
    createAffiliate,
    changeAffiliate,
    changeAffiliates,
    listNotes,
    addNote,
    deleteNote,
    listTags,
    getTags,
    setTags,
    viewAffiliate,
  ],
  events: [
    affiliateCreated,
    affiliateUpdated,
    affiliateSuspended,
    affiliateReinstated,
    affiliateViewed,
  ],
  jobs: [refreshRoster],
  migrations: [creating('affiliates/0001-baseline', { ...tables, ...roster })],
  contributions: [contribute(firstSteps, firstAffiliate), contribute(mails, addressChangedMail)],
});
