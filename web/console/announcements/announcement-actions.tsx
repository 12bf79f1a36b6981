import { Link, useLocation } from 'wouter-preact';
import type { Announcement } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { refresh } from '../../data.ts';
import { formatDate } from '../../format.ts';
import type { Address } from '../../frame/address.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { t } from '../../words.ts';
import { AnnouncementForm } from './announcement-form.tsx';

interface ActionsProps {
  announcement: Announcement;
  address: Address;
}

/** What can be done with an announcement in its state. */
export function AnnouncementActions({ announcement: { id, state }, address }: ActionsProps) {
  if (state === 'sent' || state === 'cancelled') return null;
  const isDraft = state === 'draft';
  return (
    <div class="announcement-actions">
      {isDraft && (
        <>
          <OpenLink address={address} open="send" kind="primary" />
          <OpenLink address={address} open="edit" kind="quiet" />
          <Form
            kind="quiet"
            action={t('console-announcements.test')}
            done={t('console-announcements.testDone')}
            submit={(_values, options) => api.announcements.test(id, options)}
          />
          <OpenLink address={address} open="delete" kind="danger" />
        </>
      )}
      {state === 'sending' && (
        <Form
          kind="quiet"
          action={t('console-announcements.pause')}
          submit={async (_values, options) => {
            await api.announcements.pause(id, options);
            await refresh('announcements');
          }}
        />
      )}
      {state === 'paused' && (
        <Form
          action={t('console-announcements.resume')}
          submit={async (_values, options) => {
            await api.announcements.resume(id, options);
            await refresh('announcements');
          }}
        />
      )}
      {!isDraft && <OpenLink address={address} open="cancel" kind="danger" />}
    </div>
  );
}

const dialogs = ['send', 'edit', 'delete', 'cancel'] as const;

interface OpenLinkProps {
  address: Address;
  open: (typeof dialogs)[number];
  kind: 'primary' | 'quiet' | 'danger';
}

function OpenLink({ address, open, kind }: OpenLinkProps) {
  return (
    <Link class="button" data-kind={kind} href={address.hrefOf({ open })}>
      {t(`console-announcements.${open}`)}
    </Link>
  );
}

interface OpenDialogProps extends ActionsProps {
  /** How many there are; undefined while that is not known. */
  receivers: number | undefined;
  onClose(): void;
}

/** The dialog that the address names. */
export function OpenDialog({ announcement, receivers, address, onClose }: OpenDialogProps) {
  const { id, state, send_at } = announcement;
  const [, navigate] = useLocation();
  const open = address.oneOf('open', dialogs);
  const done = async () => {
    await refresh('announcements');
    onClose();
  };
  if (state === 'draft' && open === 'edit') {
    return <AnnouncementForm draft={announcement} onClose={onClose} onDone={onClose} />;
  }
  if (state === 'draft' && open === 'send' && receivers !== undefined) {
    const count = t('console-announcements.people', { count: receivers });
    return (
      <Dialog title={t('console-announcements.sendTitle', { count })} onClose={onClose}>
        <p>{t('console-announcements.sendText')}</p>
        {send_at !== null && <p>{formatDate(send_at, 'exact')}</p>}
        <Form
          action={t(
            send_at === null ? 'console-announcements.sendNow' : 'console-announcements.schedule',
          )}
          submit={async (_values, options) => {
            await api.announcements.send(id, { receivers }, options);
            await done();
          }}
        />
      </Dialog>
    );
  }
  if (state === 'draft' && open === 'delete') {
    return (
      <Dialog title={t('console-announcements.deleteTitle')} onClose={onClose}>
        <Form
          kind="danger"
          action={t('console-announcements.delete')}
          submit={async (_values, options) => {
            await api.announcements.delete(id, options);
            navigate('/console/announcements', { replace: true });
            await refresh('announcements');
          }}
        />
      </Dialog>
    );
  }
  if (state !== 'draft' && open === 'cancel') {
    return (
      <Dialog title={t('console-announcements.cancelTitle')} onClose={onClose}>
        <p>{t('console-announcements.cancelText')}</p>
        <Form
          kind="danger"
          action={t('console-announcements.cancel')}
          submit={async (_values, options) => {
            await api.announcements.cancel(id, options);
            await done();
          }}
        />
      </Dialog>
    );
  }
  return null;
}
