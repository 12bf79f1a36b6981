import { Link } from 'wouter-preact';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { Notice } from '../../ui/notice.tsx';
import { t } from '../../words.ts';

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
