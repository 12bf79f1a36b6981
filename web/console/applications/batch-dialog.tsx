import { useState } from 'preact/hooks';
import type { Application, DecidedApplications } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { refresh } from '../../data.ts';
import { sentenceOfCode } from '../../error-words.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { t } from '../../words.ts';
import { MailFields, RateFields, termsOf } from './accept-dialog.tsx';
import { declineOf, ReasonFields } from './decline-dialog.tsx';

interface BatchDialogProps {
  status: 'accepted' | 'declined';
  ids: readonly number[];
  items: readonly Application[];
  onClose(): void;
}

/** One decision about all selected applications. What could not be decided is listed afterwards. */
export function BatchDialog({ status, ids, items, onClose }: BatchDialogProps) {
  const [results, setResults] = useState<DecidedApplications['items']>();
  // The list is loaded again while the dialog shows the results.
  const [names] = useState(() => new Map(items.map(({ id, user }) => [id, user.display_name])));
  const isAccepted = status === 'accepted';
  const count = ids.length;
  const title = isAccepted
    ? t('console-applications.acceptCount', { count })
    : t('console-applications.declineCount', { count });
  if (results) {
    const failed = results.filter(({ ok }) => !ok);
    return (
      <Dialog title={title} onClose={onClose}>
        <Notice kind={failed.length === 0 ? 'good' : 'warn'}>
          {t('console-applications.decidedCount', { count: results.length - failed.length })}
        </Notice>
        {failed.length > 0 && (
          <ul>
            {failed.map(({ id, error }) => (
              <li key={id}>
                {names.get(id) ?? `#${id}`}: {error && sentenceOfCode(error.code)}
              </li>
            ))}
          </ul>
        )}
        <Button type="button" onClick={onClose}>
          {t('common.close')}
        </Button>
      </Dialog>
    );
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        kind={isAccepted ? 'primary' : 'danger'}
        action={t(isAccepted ? 'console-applications.accept' : 'console-applications.decline')}
        showsReasons
        submit={async (values, options) => {
          const decision = isAccepted ? termsOf(values) : declineOf(values);
          const input = { ids: [...ids], status, ...decision };
          const decided = await api.registrations.batch(input, options);
          setResults(decided.items);
          await refresh('applications', 'overview');
        }}
      >
        {isAccepted ? <RateFields /> : <ReasonFields />}
        <MailFields />
      </Form>
    </Dialog>
  );
}
