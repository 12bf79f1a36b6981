import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { CouponDetails } from '../../../sdk/src/index.ts';
import { useSession } from '../../session.ts';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PendingCard } from '../../ui/error-state.tsx';
import { Field, SelectField } from '../../ui/field.tsx';
import { optionsOf } from '../../ui/options.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { ShareButton } from '../../ui/share-button.tsx';
import { t, type WordKey } from '../../words.ts';
import { useOwnCoupons } from '../own-coupons.ts';
import { useAddress } from '../../frame/address.ts';
import { withQuery } from '../../frame/navigation.ts';
import { lazyScreen } from '../../frame/lazy-screen.tsx';
import { Screen } from '../../frame/screen.tsx';
import { addonShareTabs } from '../addon-parts.tsx';
import { Campaigns, SubIds } from './campaigns.tsx';
import { makeLink, type Subs } from './make-link.ts';
import { SubFields } from './sub-fields.tsx';
import './links.css';

const LazyQr = lazyScreen(async () => (await import('./qr.tsx')).Qr).View;

/** What there is to share: the link, ready-made pictures and texts, and a page of one's own. */
const labels: Readonly<Record<string, WordKey>> = {
  link: 'portal-links.tab.link',
  ...Object.fromEntries(addonShareTabs.map(({ tab, label }) => [tab, label])),
};
const tabs = Object.keys(labels);

/** The affiliate's link, to any page of the store and with a campaign, and its QR code. */
export function Links() {
  const { coupons, chosen, details } = useOwnCoupons();
  const { data, error, retry } = details;
  const [, navigate] = useLocation();
  const address = useAddress('/app/links');
  const tab = address.oneOf('tab', tabs) ?? 'link';
  if (!chosen) {
    return (
      <Screen title={t('portal.nav.links')}>
        <Card>
          <EmptyState of="portal.links.noCoupon" />
        </Card>
      </Screen>
    );
  }
  return (
    <>
      {tabs.length > 1 && (
        <Segmented
          label={t('portal.nav.share')}
          current={tab}
          options={optionsOf(tabs, (value) => t(labels[value]!))}
          hrefOf={(value) => address.hrefOf({ tab: value === 'link' ? undefined : value })}
        />
      )}
      <Screen title={t('portal.nav.links')}>
        {coupons.length > 1 && (
          <SelectField
            name="coupon"
            label={t('portal-links.choose')}
            required
            value={String(chosen.id)}
            options={coupons.map(({ id, code }) => ({ value: String(id), label: code }))}
            onChange={(event) => navigate(address.hrefOf({ coupon: event.currentTarget.value }))}
          />
        )}
        {addonShareTabs.map(
          ({ tab: own, View }) => tab === own && <View key={own} couponId={chosen.id} />,
        )}
        {tab === 'link' && (
          <>
            {data ? (
              <Maker key={data.id} coupon={data} />
            ) : (
              <PendingCard error={error} retry={retry} lines={6} height="2.5rem" />
            )}
            <Campaigns coupon={chosen} />
            <SubIds coupon={chosen} />
          </>
        )}
      </Screen>
    </>
  );
}

/** The page, the campaign and the sub-ids are part of the address, so that a reload keeps them. */
function Maker({ coupon }: { coupon: CouponDetails }) {
  const { program } = useSession();
  const [, navigate] = useLocation();
  const address = useAddress('/app/links');
  const [page, setPage] = useState(address.get('page'));
  const [campaign, setCampaign] = useState(address.get('campaign'));
  const [subs, setSubs] = useState<Subs>({
    sub1: address.get('sub1'),
    sub2: address.get('sub2'),
    sub3: address.get('sub3'),
    sub4: address.get('sub4'),
    sub5: address.get('sub5'),
  });
  const { url, error } = makeLink({
    referralUrl: coupon.referral_url,
    code: coupon.code,
    storeUrl: program.store_url,
    page,
    campaign,
    subs,
  });
  // The address of this moment: another coupon may have been chosen while a field had the focus.
  const remember = (changes: Record<string, string>) =>
    navigate(withQuery(address.path, location.search, changes), { replace: true });
  return (
    <div class="links-columns">
      <Card
        title={t('portal.home.yourLink')}
        aside={
          <p class="links-code">
            <span class="muted">{t('portal.home.yourCode')}</span> <code>{coupon.code}</code>
            <CopyButton text={coupon.code} label={t('portal-links.copyCode')} />
          </p>
        }
      >
        <Field
          id="page"
          name="page"
          type="url"
          inputMode="url"
          autoComplete="off"
          label={t('portal-links.page')}
          hint={t('portal-links.pageHint', { store: new URL(program.store_url).host })}
          error={
            error
              ? t('portal-links.pageFault', { store: new URL(program.store_url).host })
              : undefined
          }
          placeholder={program.store_url}
          value={page}
          onInput={(event) => setPage(event.currentTarget.value)}
          onChange={() => remember({ page })}
        />
        <Field
          id="campaign"
          name="campaign"
          autoComplete="off"
          maxLength={100}
          label={t('portal-links.campaign')}
          hint={t('portal-links.campaignHint')}
          value={campaign}
          onInput={(event) => setCampaign(event.currentTarget.value)}
          onChange={() => remember({ campaign })}
        />
        <SubFields subs={subs} onInput={setSubs} onChange={() => remember(subs)} />
        <div class="links-result">
          <output class="link-text" htmlFor="page campaign sub1 sub2 sub3 sub4 sub5">
            {url}
          </output>
          <div class="link-actions">
            <CopyButton kind="primary" text={url} label={t('portal.home.copyLink')} />
            <ShareButton url={url} title={program.name} />
          </div>
        </div>
      </Card>
      <Card title={t('portal-links.qr')}>
        <LazyQr
          text={url}
          alt={t('portal-links.qrAlt', { url })}
          name={`${coupon.code}${campaign && `-${campaign}`}`}
        />
      </Card>
    </div>
  );
}
