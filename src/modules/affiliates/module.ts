import { defineModule } from '../../kernel/declare/module.ts';
import { firstSteps } from '../overview/index.ts';
import { firstAffiliate } from './first-affiliate.ts';
import { contribute } from '../../kernel/declare/point.ts';
import { mails } from '../mail/index.ts';
import { addressChangedMail } from './address-mail.ts';
import {
  affiliateCreated,
  affiliateReinstated,
  affiliateSuspended,
  affiliateUpdated,
} from './affiliate-events.ts';
import { changeAffiliate } from './change-affiliate.ts';
import { createAffiliate } from './create-affiliate.ts';
import { getAffiliate } from './get-affiliate.ts';
import { getMe } from './get-me.ts';
import { listAffiliates } from './list-affiliates.ts';
import { migrations } from './migrations.ts';
import { tables } from './tables.ts';

export const affiliatesModule = defineModule({
  name: 'affiliates',
  summary: 'Affiliates: people who refer orders, and who is calling',
  addon: false,
  operations: [getMe, listAffiliates, getAffiliate, createAffiliate, changeAffiliate],
  events: [affiliateCreated, affiliateUpdated, affiliateSuspended, affiliateReinstated],
  tables,
  migrations,
  contributions: [contribute(firstSteps, firstAffiliate), contribute(mails, addressChangedMail)],
});
