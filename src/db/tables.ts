import type { Insertable, Selectable } from 'kysely';

/**
 * The schema that statements are typed with. A module adds its tables in its own `tables.ts`
 * (`declare module`). Types are those that both databases share:
 * instants are epoch milliseconds, flags are 0 or 1, JSON is text.
 */
export interface Tables {
  migrations: { name: string; applied_at: number };
  installation: { name: string; value: string };
  leases: { name: string; holder: string; until: number };
}

/** A row as it is read. */
export type RowOf<N extends keyof Tables> = Selectable<Tables[N]>;

/** A row as it is inserted. */
export type NewRowOf<N extends keyof Tables> = Insertable<Tables[N]>;
