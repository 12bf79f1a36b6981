import { invoke } from '../../src/kernel/call/invoke.ts';
import type { DemoPart } from '../../src/kernel/declare/demo.ts';
import { changeSettings } from '../../src/modules/settings/index.ts';
import { chooseName } from './api/choose-name.ts';

/** Every third affiliate has not agreed and has a place without a name. */
const UNNAMED_EVERY = 3;

export const demoLeaderboard: DemoPart = {
  async prepare(site, affiliates) {
    if (!site.registry.isActive(chooseName)) return;
    await invoke(site, changeSettings, {
      'leaderboard.enabled': true,
      // A month has no places on its first day.
      'leaderboard.period': 'days_30',
    });
    for (const [i, { id }] of affiliates.entries()) {
      if ((i + 1) % UNNAMED_EVERY !== 0) await invoke(site, chooseName, { id, named: true });
    }
  },
};
