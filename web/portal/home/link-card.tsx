import { useSession } from '../../session.ts';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { ShareButton } from '../../ui/share-button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { t } from '../../words.ts';
import { useOwnCoupons } from '../own-coupons.ts';
import './link-card.css';

/** The affiliate's link, to copy and to share: the first thing to do for an affiliate without earnings. */
export function LinkCard({ isFirst }: { isFirst: boolean }) {
  const { program } = useSession();
  const { chosen, details } = useOwnCoupons();
  const { data, error, retry } = details;
  if (!chosen) {
    return (
      <Card>
        <EmptyState of="portal.links.noCoupon" />
      </Card>
    );
  }
  return (
    <Card
      title={t('portal.home.yourLink')}
      aside={
        <p class="muted">
          {t('portal.home.yourCode')} <code>{chosen.code}</code>
        </p>
      }
    >
      {data ? (
        <div class="link-line">
          <output class="link-text">{shortened(data.referral_url)}</output>
          <div class="link-actions">
            <CopyButton
              kind={isFirst ? 'primary' : 'quiet'}
              text={data.referral_url}
              label={t('portal.home.copyLink')}
            />
            <ShareButton url={data.referral_url} title={program.name} />
          </div>
        </div>
      ) : error ? (
        <ErrorState error={error} retry={retry} />
      ) : (
        <div class="link-loading">
          <Skeleton height="2.75rem" />
        </div>
      )}
    </Card>
  );
}

/** Without what a browser adds by itself. */
function shortened(url: string): string {
  return url.replace(/^https?:\/\//, '');
}
