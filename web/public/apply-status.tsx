import { Button, LinkButton } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { t } from '../words.ts';
import { formatDay } from './format.ts';
import type { ApplicationStatusProps } from '../../src/web-contract/page-props.ts';
import './apply-status.css';

export function statusTitle({ status }: ApplicationStatusProps): string {
  return t(`public.status.${status}`);
}

const kinds = { pending: 'info', accepted: 'good', declined: 'warn' } as const;

export function ApplyStatusPage(props: ApplicationStatusProps) {
  const { status, date, decided, message, couponCode, invitation } = props;
  return (
    <>
      <h1>{t('public.status.title')}</h1>
      <Notice kind={kinds[status]}>
        <strong>{t(`public.status.${status}`)}</strong>
      </Notice>
      <dl class="status-facts">
        <dt>{t('public.status.received')}</dt>
        <dd>{formatDay(date)}</dd>
        {decided !== null && (
          <>
            <dt>{t('public.status.decided')}</dt>
            <dd>{formatDay(decided)}</dd>
          </>
        )}
        {status === 'accepted' && (
          <>
            <dt>{t('public.status.code')}</dt>
            <dd>{couponCode}</dd>
          </>
        )}
      </dl>
      {message !== '' && (
        <section class="status-message" aria-labelledby="message">
          <h2 id="message">{t('public.status.message')}</h2>
          <p>{message}</p>
        </section>
      )}
      <section class="stack" aria-labelledby="next">
        <h2 id="next">{t('public.status.next')}</h2>
        <p>{t(`public.status.${status}Next`)}</p>
        {invitation && <InvitationForm {...invitation} />}
        {status === 'accepted' && !invitation && (
          <p>
            <LinkButton href="/app/login">{t('public.program.signIn')}</LinkButton>
          </p>
        )}
      </section>
    </>
  );
}

function InvitationForm({ token, isSent }: NonNullable<ApplicationStatusProps['invitation']>) {
  return (
    <>
      {isSent && <Notice kind="info">{t('public.status.invited')}</Notice>}
      <form method="post" action="/apply/status">
        <input type="hidden" name="token" value={token} />
        <Button type="submit" kind="quiet">
          {t('public.status.inviteAgain')}
        </Button>
      </form>
    </>
  );
}
