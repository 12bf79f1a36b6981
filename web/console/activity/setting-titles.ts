import type { FoundEvent } from '../../../sdk/src/index.ts';
import { useData } from '../../data.ts';
import { useSession } from '../../session.ts';
import { loadForm } from '../settings/setting-schema.ts';
import type { FurtherNames } from './event-text.ts';

/** The titles of the settings that were changed. */
export function useSettingTitles(events: readonly FoundEvent[]): FurtherNames {
  const { account } = useSession();
  const isNeeded = events.some(({ kind }) => kind === 'settings');
  const { data } = useData('settings', isNeeded ? { part: 'schema' } : undefined, () =>
    loadForm(account.role),
  );
  return new Map(data?.settings.map(({ key, title }) => [key, title]));
}
