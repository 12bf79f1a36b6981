import type { Addon } from '../../src/kernel/declare/addon.ts';

export const leaderboard = {
  name: 'leaderboard',
  openDemo: async () => (await import('./demo.ts')).demoLeaderboard,
  load: async () => (await import('./module.ts')).leaderboardModule,
} satisfies Addon;
