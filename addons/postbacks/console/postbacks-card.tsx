import type { Postback } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { useData } from '../../../web/data.ts';
import { formatDate } from '../../../web/format.ts';
import { Card } from '../../../web/ui/card.tsx';
import { Pill } from '../../../web/ui/pill.tsx';
import { t } from '../../../web/words.ts';
import { Tiles } from '../../../web/console/affiliates/tiles.tsx';

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
      <h2 id="postbacks">{t('console-postbacks.title')}</h2>
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
  if (!active) return <Pill kind="plain">{t('console-postbacks.off')}</Pill>;
  if (failing_since === null) return <Pill kind="good">{t('console-postbacks.on')}</Pill>;
  const since = formatDate(failing_since, 'short');
  return <Pill kind="bad">{t('console-postbacks.fails', { since })}</Pill>;
}
