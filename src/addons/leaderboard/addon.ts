import type { Addon } from '../../kernel/declare/addon.ts';

export const leaderboard = {
  name: 'leaderboard',
  load: async () => (await import('./module.ts')).leaderboardModule,
} satisfies Addon;
