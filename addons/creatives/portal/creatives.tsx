import { useLocation } from 'wouter-preact';
import type { OwnCreative, SourceClicks } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { useData } from '../../../web/data.ts';
import { daysAgo } from '../../../web/format.ts';
import { useAddress } from '../../../web/frame/address.ts';
import { useSession } from '../../../web/session.ts';
import { Card } from '../../../web/ui/card.tsx';
import { CopyButton } from '../../../web/ui/copy-button.tsx';
import { SelectField } from '../../../web/ui/field.tsx';
import { optionsOf } from '../../../web/ui/options.ts';
import { Pager } from '../../../web/ui/pager.tsx';
import { ShareButton } from '../../../web/ui/share-button.tsx';
import { formatNumber, t } from '../../../web/words.ts';
import './creatives.css';

const formats = ['html', 'markdown', 'text'] as const;
const SHOWN = 12;
const DAYS = 90;

/** What the store offers to share, with the affiliate's link in it. Nothing where it offers nothing. */
export function Creatives({ couponId }: { couponId: number }) {
  const { me } = useSession();
  const [, navigate] = useLocation();
  const address = useAddress('/app/links');
  const format = address.oneOf('format', formats) ?? 'text';
  const input = { id: me.user.id, coupon_id: couponId, page: address.page, per_page: SHOWN };
  const { data } = useData('creatives', input, ({ id, ...query }) =>
    api.affiliates.creatives.list(id, query),
  );
  const { data: figures } = useData('sources', { creativesOf: couponId }, () =>
    api.affiliates.sources.list(me.user.id, {
      by: 'creative',
      coupon: couponId,
      from: daysAgo(DAYS - 1),
    }),
  );
  if (!data || data.total === 0) return null;
  return (
    <Card title={t('portal-links.creatives.title')}>
      <p class="muted">{t('portal-links.creatives.text')}</p>
      <SelectField
        name="format"
        label={t('portal-links.creatives.format')}
        required
        value={format}
        options={optionsOf(formats, (one) => t(`portal-links.creatives.format.${one}`))}
        onChange={(event) => navigate(address.hrefOf({ format: event.currentTarget.value }))}
      />
      <ul class="creatives">
        {data.items.map((creative) => (
          <li key={creative.id} class="creative">
            <h3>{creative.name}</h3>
            <Preview creative={creative} />
            {creative.description !== '' && <p class="muted">{creative.description}</p>}
            <Figures of={figures?.items.find((one) => one.creative === creative.id)} />
            <div class="link-actions">
              <CopyButton
                text={creative.snippets[format]}
                label={t('portal-links.creatives.copy', { name: creative.name })}
              />
              <ShareButton url={creative.link} title={creative.name} />
              {creative.file && (
                <a
                  class="button"
                  data-kind="quiet"
                  href={new URL(creative.file.url).pathname}
                  download={creative.file.name}
                  aria-label={t('portal-links.creatives.downloadOf', { name: creative.name })}
                >
                  {t('portal-links.creatives.download')}
                </a>
              )}
            </div>
          </li>
        ))}
      </ul>
      <Pager
        label={t('portal-links.creatives.title')}
        page={address.page}
        pages={data.pages}
        hrefOf={(page) => address.hrefOf({ page: String(page) })}
      />
    </Card>
  );
}

/** What the affiliate's own links of a creative brought; nothing before the first click. */
function Figures({ of: source }: { of: SourceClicks | undefined }) {
  if (!source) return null;
  return (
    <p class="muted">
      {t('portal.home.figure.clicks')}: {formatNumber(source.clicks)} ·{' '}
      {t('portal-links.creatives.withOrder')}: {formatNumber(source.conversions)} ·{' '}
      {t('portal.home.days', { count: DAYS })}
    </p>
  );
}

/** A text as it is copied, with the link and the code of the affiliate. */
function Preview({ creative: { kind, file, alt, text, snippets } }: { creative: OwnCreative }) {
  if (kind === 'image' && file?.thumbnail) {
    return <img src={new URL(file.thumbnail).pathname} alt={alt} loading="lazy" />;
  }
  return text === '' ? null : <p class="creative-text">{snippets.text}</p>;
}
