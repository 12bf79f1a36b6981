import { Link, useLocation } from 'wouter-preact';
import type { Announcement } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { refresh } from '../../../web/data.ts';
import type { Address } from '../../../web/frame/address.ts';
import { Dialog } from '../../../web/ui/dialog.tsx';
import { Form } from '../../../web/ui/form.tsx';
import { t } from '../../../web/words.ts';
import { PATH } from './announcement-tabs.tsx';
import { SendDialog } from './send-dialog.tsx';

interface ActionsProps {
  announcement: Announcement;
  address: Address;
}

/** What can be done with an announcement in its state. */
export function AnnouncementActions({ announcement: { id, state }, address }: ActionsProps) {
  if (state === 'sent' || state === 'cancelled' || state === 'series') return null;
  const isDraft = state === 'draft';
  return (
    <div class="announcement-actions">
      {isDraft && (
        <>
          <OpenLink address={address} open="send" kind="primary" />
          <Link class="button" data-kind="quiet" href={`${PATH}/${id}/edit`}>
            {t('console-announcements.edit')}
          </Link>
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

const dialogs = ['send', 'delete', 'cancel'] as const;

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
  /** Whom it goes to; undefined while that is not known. */
  receivers: { readonly count: number; readonly sentence: string } | undefined;
  onClose(): void;
}

/** The dialog that the address names. */
export function OpenDialog({ announcement, receivers, address, onClose }: OpenDialogProps) {
  const { id, state } = announcement;
  const [, navigate] = useLocation();
  const open = address.oneOf('open', dialogs);
  if (state === 'draft' && open === 'send') {
    return <SendDialog draft={announcement} receivers={receivers} onClose={onClose} />;
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
            await refresh('announcements');
            onClose();
          }}
        />
      </Dialog>
    );
  }
  return null;
}
