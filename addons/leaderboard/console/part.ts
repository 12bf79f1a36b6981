import type { ConsolePart } from '../../../web/console/addon-parts.ts';

declare module '../../../src/web-contract/guides.ts' {
  interface Guides {
    leaderboard: 'owner';
  }
}

export const part: ConsolePart = {
  addon: 'leaderboard',
  groupGuides: { leaderboard: 'leaderboard' },
};
