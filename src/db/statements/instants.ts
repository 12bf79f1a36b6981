import { sql, type RawBuilder } from 'kysely';

/** A bound instant with its type: without a type PostgreSQL computes a sum as `integer`, which overflows. */
export function instant(nowMs: number): RawBuilder<number> {
  return sql<number>`cast(${nowMs} as bigint)`;
}

/** The wait after a number of attempts. `waitsMs` begins with the wait before the first; the last one repeats. */
export function waitAfter(
  attempts: RawBuilder<number>,
  waitsMs: readonly number[],
): RawBuilder<number> {
  const known = waitsMs
    .slice(0, -1)
    .map((ms, count) => sql`when ${attempts} <= ${sql.lit(count)} then ${sql.lit(ms)}`);
  return sql<number>`case ${sql.join(known, sql` `)} else ${sql.lit(waitsMs.at(-1))} end`;
}
