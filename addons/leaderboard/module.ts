import { creating } from '../../src/db/create-tables.ts';
import { defineModule } from '../../src/kernel/declare/module.ts';
import { contribute } from '../../src/kernel/declare/point.ts';
import { personalData, personErasures } from '../../src/modules/privacy/index.ts';
import { chooseName } from './api/choose-name.ts';
import { getLeaderboard } from './api/get-leaderboard.ts';
import { agreementOfPerson, eraseAgreement } from './privacy.ts';
import { leaderboardEnabled, leaderboardSettings } from './settings.ts';
import { tables } from './tables.ts';

export const leaderboardModule = defineModule({
  name: 'leaderboard',
  summary: 'Leaderboard: the best affiliates of a period, in the portal',
  addon: true,
  shownWhile: leaderboardEnabled,
  operations: [getLeaderboard, chooseName],
  settings: leaderboardSettings,
  migrations: [creating('leaderboard/0001-names', tables)],
  contributions: [
    contribute(personalData, agreementOfPerson),
    contribute(personErasures, eraseAgreement),
  ],
});
