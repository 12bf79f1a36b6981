import type { Postback } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { formatDate } from '../../format.ts';
import { Card } from '../../ui/card.tsx';
import { Pill } from '../../ui/pill.tsx';
import { t } from '../../words.ts';
import { Tiles } from './tiles.tsx';

/** Where the affiliate has its orders sent, and whether they arrive. Most affiliates send them nowhere. */
export function PostbacksCard({ id }: { id: number }) {
  const { data } = useData(
    'affiliates',
    { id, part: 'postbacks' },
    async () => (await api.affiliates.postbacks.list(id)).items,
  );
  if (!data || data.length === 0) return null;
  return (
    <Card labelledBy="postbacks">
      <h2 id="postbacks">{t('console-affiliates.postbacks')}</h2>
      <Tiles
        facts={data.map((one) => ({
          name: `${one.id} · ${new URL(one.url).host}`,
          value: <PostbackState postback={one} />,
        }))}
      />
    </Card>
  );
}

function PostbackState({ postback: { active, failing_since } }: { postback: Postback }) {
  if (!active) return <Pill kind="plain">{t('console-affiliates.postbackOff')}</Pill>;
  if (failing_since === null) return <Pill kind="good">{t('console-affiliates.postbackOn')}</Pill>;
  const since = formatDate(failing_since, 'short');
  return <Pill kind="bad">{t('console-affiliates.postbackFails', { since })}</Pill>;
}
