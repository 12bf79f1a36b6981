import type { Overview } from '../../../sdk/src/index.ts';
import { listText } from '../../../src/shared/formats.ts';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { addonNeeds } from '../addon-parts.ts';
import { currentLanguage, t } from '../../words.ts';

const NAMED_MAX = 2;
const few = { per_page: NAMED_MAX } as const;

/** Whom the team would decide about first, as the list of the screen begins. */
const loaders: Readonly<Record<string, () => Promise<string[]>>> = {
  applications: async () => {
    const { items } = await api.registrations.search({ status: 'pending', ...few });
    return items.map(({ user }) => user.display_name);
  },
};

interface NeedNamesProps {
  need: Overview['needs'][number];
  /** Its items are people. */
  hasPeople: boolean;
}

/** The first people that wait, and how many there are beside them. */
export function NeedNames({ need: { name, count, items }, hasPeople }: NeedNamesProps) {
  const load = addonNeeds[name]?.names ?? loaders[name];
  const { data } = useData('overview', load && { names: name, count }, () => load!(NAMED_MAX));
  const first = hasPeople ? items.slice(0, NAMED_MAX).map((one) => one.name) : (data ?? []);
  // What waits may concern no affiliate.
  const names = [...new Set(first.filter(Boolean))];
  if (names.length === 0) return null;
  const others = count - first.length;
  const parts = others > 0 ? [...names, t('console-overview.others', { count: others })] : names;
  return <span class="need-names">{listText(currentLanguage(), parts)}</span>;
}
