/** The affiliates who agreed that others read their names. */
export interface LeaderboardNamesTable {
  user_id: number;
  agreed_at: number;
}

declare module '../../db/tables.ts' {
  interface Tables {
    leaderboard_names: LeaderboardNamesTable;
  }
}
