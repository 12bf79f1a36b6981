import { adding, creating } from '../../db/create-tables.ts';
import { defineModule } from '../../kernel/declare/module.ts';
import { contribute } from '../../kernel/declare/point.ts';
import { settingEffects } from '../../kernel/declare/setting-effect.ts';
import { storeLandingPages } from './count-landing-pages.ts';
import { followLink } from './follow-link.ts';
import { getClickSeries } from './get-click-series.ts';
import { couponRequired, getClickStats } from './get-click-stats.ts';
import { getTracker } from './get-tracker.ts';
import { listCampaigns } from './list-campaigns.ts';
import { listLandingPages } from './list-landing-pages.ts';
import { pruneClicks } from './prune-clicks.ts';
import { receiveBeacon } from './receive-beacon.ts';
import { invalidCoupon, recordClicks } from './record-clicks.ts';
import { clickEffects } from './setting-effects.ts';
import { clickSettings } from './settings.ts';
import { tables } from './tables.ts';

export const clicksModule = defineModule({
  name: 'clicks',
  summary: 'Clicks, referral links and their statistics',
  addon: false,
  operations: [
    recordClicks,
    followLink,
    getTracker,
    receiveBeacon,
    getClickStats,
    getClickSeries,
    listCampaigns,
    listLandingPages,
  ],
  settings: clickSettings,
  jobs: [pruneClicks, storeLandingPages],
  errors: [invalidCoupon, couponRequired],
  migrations: [creating('clicks/0001-baseline', tables), adding('clicks/0002-after-0.7.0', tables)],
  contributions: clickEffects.map((effect) => contribute(settingEffects, effect)),
});
