import { Link } from 'wouter-preact';
import { t } from '../../../web/words.ts';

/** From the screen of an affiliate to its thread. */
export const ThreadLink = ({ affiliateId }: { affiliateId: number }) => (
  <Link class="button" data-kind="quiet" href={`/console/messages/${affiliateId}`}>
    {t('console.nav.messages')}
  </Link>
);
