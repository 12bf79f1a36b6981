import { contribute } from '../../kernel/declare/point.ts';
import { defineModule } from '../../kernel/declare/module.ts';
import { followLink } from './follow-link.ts';
import { getClickSeries } from './get-click-series.ts';
import { couponRequired, getClickStats } from './get-click-stats.ts';
import { listCampaigns } from './list-campaigns.ts';
import { migrations } from './migrations.ts';
import { pruneClicks } from './prune-clicks.ts';
import { invalidCoupon, recordClicks } from './record-clicks.ts';
import { clickSettings } from './settings.ts';
import { tables } from './tables.ts';
import { settingEffects } from '../../kernel/declare/setting-effect.ts';
import { cookieEffect } from './setting-effects.ts';

export const clicksModule = defineModule({
  name: 'clicks',
  summary: 'Clicks, referral links and their statistics',
  addon: false,
  operations: [recordClicks, followLink, getClickStats, getClickSeries, listCampaigns],
  settings: clickSettings,
  jobs: [pruneClicks],
  errors: [invalidCoupon, couponRequired],
  tables,
  migrations,
  contributions: [contribute(settingEffects, cookieEffect)],
});
