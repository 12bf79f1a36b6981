import type { FoundEvent } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import type { FurtherNames } from '../../../web/console/activity/event-text.ts';
import { useData } from '../../../web/data.ts';

/** The names of the series that events are about. */
export function useSeriesNames(events: readonly FoundEvent[]): FurtherNames {
  const isNeeded = events.some(({ kind }) => kind === 'series');
  const { data } = useData('mail-series', isNeeded ? { part: 'names' } : undefined, () =>
    api.series.list({ per_page: 100 }),
  );
  return new Map(data?.items.map(({ id, name }) => [`series ${id}`, name]));
}
