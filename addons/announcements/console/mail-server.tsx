import { Link } from 'wouter-preact';
import { api } from '../../../web/api.ts';
import { useData } from '../../../web/data.ts';
import { Notice } from '../../../web/ui/notice.tsx';
import { t } from '../../../web/words.ts';

/** Whether it is known that emails wait, because no server is set up for them. */
export function useLacksMailServer(): boolean {
  const { data } = useData('outbox', { part: 'server' }, () => api.mailServer.get());
  return data?.configured === false;
}

/** Says where to set one up. */
export function MailServerNotice() {
  if (!useLacksMailServer()) return null;
  return (
    <Notice kind="warn">
      {t('console-announcements.noMailServer')}{' '}
      <Link href="/console/outbox">{t('console-announcements.setUpMailServer')}</Link>
    </Notice>
  );
}
