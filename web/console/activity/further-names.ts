import type { FoundEvent } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';

/** Names that events lack, by the id of a series, or by the key of a setting. */
export type FurtherNames = ReadonlyMap<string | number, string>;

/** The names of the series that events are about. */
export function useSeriesNames(events: readonly FoundEvent[]): FurtherNames {
  const isNeeded = events.some(({ kind }) => kind === 'series');
  const { data } = useData('mail-series', isNeeded ? { part: 'names' } : undefined, () =>
    api.series.list({ per_page: 100 }),
  );
  return new Map(data?.items.map(({ id, name }) => [id, name]));
}
