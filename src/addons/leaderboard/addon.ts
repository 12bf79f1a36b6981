import type { Addon } from '../../kernel/declare/addon.ts';

export const leaderboard = {
  name: 'leaderboard',
  openDemo: async () => (await import('./demo-leaderboard.ts')).demoLeaderboard,
  load: async () => (await import('./module.ts')).leaderboardModule,
} satisfies Addon;
